import { ServiceError } from '@service-mcp/core';
import { openHere, type DeploymentOptions } from '../deployment.js';
import { Failure, isTransient, issuesOf } from '../failure.js';
import { toolEntry } from '@service-mcp/core/wire';
import { toolEntry as fromWire, type Connection } from './connection.js';
import { withRetries } from './retry.js';

/** The tools of a deployment opened in this process: no server is needed, and none is started. */
export async function localConnection(options: DeploymentOptions, workers: boolean): Promise<Connection> {
  const host = await openHere(options, workers);
  return {
    where: 'this process',
    url: undefined,
    async tools(toolset, signal) {
      const context = host.call({ signal, selection: { toolsets: [toolset], readOnly: false } });
      const tools = await translating(() => host.catalog.tools(context));
      return tools.map((tool) => fromWire(toolEntry(tool)));
    },
    async call(name, args, { signal, progress, repeatable, onRetry }) {
      const once = () =>
        translating(() =>
          host.catalog.call(name, args, host.call({ signal, ...(progress && { progress }) })),
        );
      const result = await (repeatable ? withRetries(once, { signal, onRetry }) : once());
      if (result.kind === 'complete') return { ...result.structured };
      throw new Failure(
        `${name} asks a question before it goes on, which the command line cannot answer yet.`,
        {
          next: 'Call it from an MCP client that supports elicitation.',
        },
      );
    },
    close: () => host.stop(),
  };
}

async function translating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { code, message, details } = thrown;
    throw new Failure(message, {
      code,
      issues: issuesOf(details),
      transient: isTransient(code),
      cause: thrown.cause,
    });
  }
}
