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
import { ServiceConnection } from '../connection/service.js';
import { inOneCall, type CallFacts } from '../connection/one-call.js';
import { CallerCredentials } from '../identity/credentials.js';
import { gather } from '../monitor/gather.js';
import { ServiceMonitor } from '../monitor/monitor.js';
import { watchResources } from '../monitor/watch-resources.js';
import { follow } from './follow.js';
import { helpHere } from './help.js';
import { everyPage, promptInfo, resourceInfo, templateInfo } from './lists.js';
import { questions, toolResult } from './result.js';
import { toolInfo } from './tool.js';

/** How long the service is waited for where there is something to say without it: help answers within a second. */
const HELP_MS = 400;
const INSTRUCTIONS_MS = 3_000;

/** The catalog of the service: every question goes to it, with the credential of who asked. */
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
    const tellOf = gather((uri) => monitor.tell({ kind: 'resource', uri }));

    /** One request, with the credential of the caller. */
    const ask = <T>(call: CallContext, work: Parameters<typeof inOneCall<T>>[2], facts: CallFacts = call) =>
      inOneCall({ connection, version, credential: credentials.of(call.caller) }, facts, work);

    /** What the service says, where it says so soon; else what there is to say without it. */
    async function soon<T>(
      call: CallContext,
      patienceMs: number,
      work: (facts: CallContext) => Promise<T>,
      without: () => T,
    ): Promise<T> {
      if (monitor.up === false) return without();
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patienceMs)]);
      try {
        return await work({ ...call, signal });
      } catch (thrown) {
        if (!call.signal.aborted && isAway(thrown)) return without();
        throw thrown;
      }
    }

    const callTool = (name: string, args: unknown, call: CallContext) => {
      const params = { name, arguments: args as Record<string, unknown>, ...extras(call) }; // the service checks them
      return ask(call, async (client, options): Promise<ToolResult> => {
        const asking = { ...options, allowInputRequired: true };
        const result = await client.request({ method: 'tools/call', params }, asking);
        if (!isInputRequiredResult(result)) return toolResult(result);
        const { requests, state } = questions(result);
        return { kind: 'input_required', requests, state };
      });
    };

    return {
      instructions: (call) =>
        soon(
          call,
          INSTRUCTIONS_MS,
          async (facts) => {
            const found = await ask(facts, (client, options) => client.discover(options));
            return found.instructions ?? '';
          },
          () =>
            `The service at ${base} does not answer for now: help does, and every other call says that it is away.`,
        ),

      async tools(call) {
        const tools = await everyPage((cursor) =>
          ask(call, async (client, options) => {
            const page = await client.request({ method: 'tools/list', params: { cursor } }, options);
            return { items: page.tools, next: page.nextCursor };
          }),
        );
        return tools.map(toolInfo).sort((a, b) => (a.name < b.name ? -1 : 1));
      },

      call: (name, args, call) =>
        name === 'help'
          ? soon(
              call,
              HELP_MS,
              (facts) => callTool(name, args, facts),
              () => helpHere({ server, version }, args, base),
            )
          : callTool(name, args, call),

      resources: (call) =>
        everyPage((cursor) =>
          ask(call, async (client, options) => {
            const page = await client.request({ method: 'resources/list', params: { cursor } }, options);
            return { items: page.resources.map(resourceInfo), next: page.nextCursor };
          }),
        ),

      resourceTemplates: (call) =>
        everyPage((cursor) =>
          ask(call, async (client, options) => {
            const params = { cursor };
            const page = await client.request({ method: 'resources/templates/list', params }, options);
            return { items: page.resourceTemplates.map(templateInfo), next: page.nextCursor };
          }),
        ),

      readResource: (uri, call) =>
        ask(call, async (client, options) => {
          const { contents } = await client.request({ method: 'resources/read', params: { uri } }, options);
          return contents as readonly ResourceContent[]; // the same shape, read-only on our side
        }),

      prompts: (call) =>
        everyPage((cursor) =>
          ask(call, async (client, options) => {
            const page = await client.request({ method: 'prompts/list', params: { cursor } }, options);
            return { items: page.prompts.map(promptInfo), next: page.nextCursor };
          }),
        ),

      prompt: (name, args, call) =>
        ask(call, async (client, options) => {
          const params = { name, arguments: { ...args }, ...extras(call) };
          const asking = { ...options, allowInputRequired: true };
          const result = await client.request({ method: 'prompts/get', params }, asking);
          if (isInputRequiredResult(result)) return questions(result);
          return result.messages.map(({ role, content }) => ({ role, content: content as ContentBlock })); // the same kinds
        }),

      complete: (reference, argument, call) =>
        ask(call, async (client, options) => {
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
          asking: { connection, version, credential: credentials.of(call.caller) },
          call,
          log,
          tell: tellOf,
        }),

      streamEvents: (request, call) => follow(connection, credentials.of(call.caller), request, call),
    };
  },
});

/** What goes along with a call: answers to questions, and whether log messages are wanted; the gateway's own client chose a level. */
function extras({ answers, answersTo, notify }: CallContext) {
  return {
    ...(answers && { inputResponses: answers }),
    ...(answersTo && { requestState: answersTo }), // an empty one is none
    ...(notify && { _meta: { [LOG_LEVEL_META_KEY]: 'debug' } }),
  };
}

function isAway(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceError && (thrown.code === 'UNAVAILABLE' || thrown.code === 'DEADLINE_EXCEEDED')
  );
}
