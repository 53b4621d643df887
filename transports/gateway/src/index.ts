export { startGateway, type Gateway } from './gateway.js';
export { loadGateway, upstreamSection, type GatewaySettings } from './settings.js';
