import { assemble, startGateway, type Gateway } from '@service-mcp/core/host';
import upstream from '@service-mcp/plugin-upstream';

/** A gateway with only this plugin, in this process, on a free loopback port. */
export async function gatewayTo(
  url: string,
  settings: Readonly<Record<string, unknown>> = {},
  core: Readonly<Record<string, unknown>> = {},
): Promise<Gateway> {
  const file = { log: { level: 'silent' }, ...core, upstream: { url, ...settings } };
  return startGateway(assemble(file, [upstream], [], {}, { port: 0 }));
}
