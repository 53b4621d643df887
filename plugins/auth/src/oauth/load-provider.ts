import type { Log } from '@service-mcp/core';

const WARNING = 'Unsupported runtime';

/**
 * Loads the library at its first use: commands and tools do not need it. Its console warning under Node 20, where our
 * tests run it, goes to the log.
 */
export async function loadProvider(log: Log) {
  const sink = globalThis.console;
  const warn = sink.warn.bind(sink);
  sink.warn = (...words: unknown[]) => {
    if (String(words[0]).includes(WARNING)) log.debug({}, 'oidc-provider prefers Node.js 22');
    else warn(...words);
  };
  try {
    return await import('./provider.js');
  } finally {
    sink.warn = warn;
  }
}
