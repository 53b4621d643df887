import assert from 'node:assert/strict';
import { REDIRECT } from './oauth-deployment.js';

/** What an application of the MCP SDKs stores of one service; both SDKs call these methods with their own types. */
export class Remembering<Information, Tokens, Discovery> {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; grant_types?: string[] };
  information: Information | undefined;
  kept: Tokens | undefined;
  /** Where the last authorization was to begin. */
  sentTo: URL | undefined;
  #verifier = '';
  #discovery: Discovery | undefined;

  constructor(name: string, more: { grant_types?: string[] } = {}) {
    this.clientMetadata = { client_name: name, redirect_uris: [REDIRECT], ...more };
  }

  clientInformation(): Information | undefined {
    return this.information;
  }
  saveClientInformation(information: Information): void {
    this.information = information;
  }
  tokens(): Tokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: Tokens): void {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(discovery: Discovery): void {
    this.#discovery = discovery;
  }
  discoveryState(): Discovery | undefined {
    return this.#discovery;
  }
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') this.kept = undefined;
    if (scope === 'all' || scope === 'client') this.information = undefined;
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
  }

  /** Where the person is to go now. */
  authorizationUrl(): URL {
    assert.ok(this.sentTo, 'no authorization was begun');
    return this.sentTo;
  }
}
