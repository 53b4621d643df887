/** Tools that REST and JSON-RPC alone show: models have no use for them. */
export const BROWSER_TOOLS = ['ai_embeddings', 'deployment_get', 'deployment_usage'];
