export { createOAuth } from '../migrations/002-create-oauth.js';
export { oauthRoutes } from './oauth-routes.js';
export { oauthServices } from './oauth-services.js';
export { oauthWorkers } from './oauth-workers.js';
