import type { Provider } from '@service-mcp/core';
import plugin from '@service-mcp/plugin-syntax';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';

export type OpenSyntax = Syntax & { close(): Promise<void> };

/** The service as the plugin declares it, with its default settings and those given. */
export async function openSyntax(settings: Record<string, number> = {}): Promise<OpenSyntax> {
  const provider = plugin.services[0] as Provider;
  const config = {
    threads: 1,
    time_limit_ms: 2000,
    max_bytes: 1024 * 1024,
    cache_bytes: 1024 * 1024,
    ...settings,
  };
  const service = (await provider.create({ config } as never)) as Syntax;
  const close = async (): Promise<void> => {
    await provider.close?.(service as never);
  };
  return {
    languageOf: (path, text) => service.languageOf(path, text),
    languageNamed: (name) => service.languageNamed(name),
    parse: (source, signal) => service.parse(source, signal),
    languages: () => service.languages(),
    limits: service.limits,
    close,
  };
}
