/** The ways to send a credential (interface.md 5). */
export const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an access token.' },
  serviceApiKey: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key', description: 'An API key.' },
};

/** Any one of the schemes. */
export const SECURITY = [{ bearer: [] }, { serviceApiKey: [] }, { apiKey: [] }];
