import { LOG_LEVEL_META_KEY, isInputRequiredResult } from '@modelcontextprotocol/client';
import {
  Deployment,
  Log,
  ServiceError,
  UpstreamCatalog,
  provide,
  type CallContext,
  type Catalog,
  type ContentBlock,
  type ResourceContent,
  type ToolResult,
} from '@service-mcp/core';
import { ServiceConnection } from '../connection/service-connection.js';
import { withClient, type CallOptions } from '../connection/call-client.js';
import { CallerCredentials } from '../identity/credentials.js';
import { debounce } from '../monitor/debounce.js';
import { ServiceMonitor } from '../monitor/monitor.js';
import { watchResources } from '../monitor/watch-resources.js';
import { streamEvents } from './stream-events.js';
import { offlineHelp } from './offline-help.js';
import { everyPage, promptInfo, resourceInfo, templateInfo } from './lists.js';
import { inputRequests, toolResult } from './tool-result.js';
import { toolInfo } from './tool-info.js';

/** Timeouts of calls that have a local fallback: help responds within a second. */
const HELP_TIMEOUT_MS = 400;
const INSTRUCTIONS_TIMEOUT_MS = 3_000;

/** The catalog of the service: every call is forwarded with the caller's credential. */
export const upstreamCatalog = provide(UpstreamCatalog, {
  uses: {
    deployment: Deployment,
    connection: ServiceConnection,
    credentials: CallerCredentials,
    monitor: ServiceMonitor,
    log: Log,
  },
  create({ deployment, connection, credentials, monitor, log }): Catalog {
    const { name: server, version } = deployment;
    const { base } = connection;
    const notifyOf = debounce((uri) => monitor.notify({ kind: 'resource', uri }));

    /** One request, with the caller's credential. */
    const request = <T>(
      call: CallContext,
      work: Parameters<typeof withClient<T>>[2],
      options: CallOptions = call,
    ) => withClient({ connection, version, credential: credentials.of(call.caller) }, options, work);

    /** The result of the service, or `fallback()` when the service is unavailable or too slow. */
    async function withFallback<T>(
      call: CallContext,
      timeoutMs: number,
      work: (call: CallContext) => Promise<T>,
      fallback: () => T,
    ): Promise<T> {
      if (monitor.up === false) return fallback();
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
      try {
        return await work({ ...call, signal });
      } catch (thrown) {
        if (!call.signal.aborted && isUnavailable(thrown)) return fallback();
        throw thrown;
      }
    }

    const callTool = (name: string, args: unknown, call: CallContext) => {
      const params = { name, arguments: args as Record<string, unknown>, ...extras(call) }; // the service validates them
      return request(call, async (client, options): Promise<ToolResult> => {
        const withInput = { ...options, allowInputRequired: true };
        const result = await client.request({ method: 'tools/call', params }, withInput);
        if (!isInputRequiredResult(result)) return toolResult(result);
        const { requests, state } = inputRequests(result);
        return { kind: 'input_required', requests, state };
      });
    };

    return {
      instructions: (call) =>
        withFallback(
          call,
          INSTRUCTIONS_TIMEOUT_MS,
          async (limited) => {
            const found = await request(limited, (client, options) => client.discover(options));
            return found.instructions ?? '';
          },
          () =>
            `The service at ${base} does not respond. Only help works; every other call fails with UNAVAILABLE until the service is back.`,
        ),

      async tools(call) {
        const tools = await everyPage((cursor) =>
          request(call, async (client, options) => {
            const page = await client.request({ method: 'tools/list', params: { cursor } }, options);
            return { items: page.tools, next: page.nextCursor };
          }),
        );
        return tools.map(toolInfo).sort((a, b) => (a.name < b.name ? -1 : 1));
      },

      call: (name, args, call) =>
        name === 'help'
          ? withFallback(
              call,
              HELP_TIMEOUT_MS,
              (limited) => callTool(name, args, limited),
              () => offlineHelp({ server, version }, args, base),
            )
          : callTool(name, args, call),

      resources: (call) =>
        everyPage((cursor) =>
          request(call, async (client, options) => {
            const page = await client.request({ method: 'resources/list', params: { cursor } }, options);
            return { items: page.resources.map(resourceInfo), next: page.nextCursor };
          }),
        ),

      resourceTemplates: (call) =>
        everyPage((cursor) =>
          request(call, async (client, options) => {
            const params = { cursor };
            const page = await client.request({ method: 'resources/templates/list', params }, options);
            return { items: page.resourceTemplates.map(templateInfo), next: page.nextCursor };
          }),
        ),

      readResource: (uri, call) =>
        request(call, async (client, options) => {
          const { contents } = await client.request({ method: 'resources/read', params: { uri } }, options);
          return contents as readonly ResourceContent[]; // the same shape, readonly here
        }),

      prompts: (call) =>
        everyPage((cursor) =>
          request(call, async (client, options) => {
            const page = await client.request({ method: 'prompts/list', params: { cursor } }, options);
            return { items: page.prompts.map(promptInfo), next: page.nextCursor };
          }),
        ),

      prompt: (name, args, call) =>
        request(call, async (client, options) => {
          const params = { name, arguments: { ...args }, ...extras(call) };
          const withInput = { ...options, allowInputRequired: true };
          const result = await client.request({ method: 'prompts/get', params }, withInput);
          if (isInputRequiredResult(result)) return inputRequests(result);
          return result.messages.map(({ role, content }) => ({ role, content: content as ContentBlock })); // the same kinds
        }),

      complete: (reference, argument, call) =>
        request(call, async (client, options) => {
          const ref =
            'prompt' in reference
              ? { type: 'ref/prompt' as const, name: reference.prompt }
              : { type: 'ref/resource' as const, uri: reference.template };
          const params = { ref, argument: { ...argument } };
          const { completion } = await client.request({ method: 'completion/complete', params }, options);
          return completion.values;
        }),

      onChanged: (listener) => monitor.onChanged(listener),

      subscribe: (uris, call) =>
        watchResources(uris, {
          access: { connection, version, credential: credentials.of(call.caller) },
          call,
          log,
          notify: notifyOf,
        }),

      streamEvents: (request, call) => streamEvents(connection, credentials.of(call.caller), request, call),
    };
  },
});

/** Responses to input requests, and the log level: the gateway filters messages by its own client's level. */
function extras({ answers, answersTo, notify }: CallContext) {
  return {
    ...(answers && { inputResponses: answers }),
    ...(answersTo && { requestState: answersTo }), // empty means absent
    ...(notify && { _meta: { [LOG_LEVEL_META_KEY]: 'debug' } }),
  };
}

function isUnavailable(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceError && (thrown.code === 'UNAVAILABLE' || thrown.code === 'DEADLINE_EXCEEDED')
  );
}
