export { createOAuth } from '../migrations/002-create-oauth.js';
export { oauthRoutes } from './routes.js';
export { oauthServices } from './services.js';
export { oauthWorkers } from './workers.js';
