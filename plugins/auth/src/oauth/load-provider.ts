import type { Log } from '@service-mcp/core';

const PREFERENCE = 'Unsupported runtime';

/**
 * Loads the library when it is first needed: commands and tools do without it. Under Node 20, where it works (our
 * tests run there), it writes on the console that it prefers 22; that goes to the log instead.
 */
export async function loadProvider(log: Log) {
  const sink = globalThis.console;
  const warn = sink.warn.bind(sink);
  sink.warn = (...words: unknown[]) => {
    if (String(words[0]).includes(PREFERENCE)) log.debug({}, 'oidc-provider prefers Node.js 22');
    else warn(...words);
  };
  try {
    return await import('./provider.js');
  } finally {
    sink.warn = warn;
  }
}
