import { untilAborted } from '../abort.js';
import { amendCall } from '../call.js';
import type { CallContext } from '../caller.js';
import { mayUse } from '../caller.js';
import type {
  Catalog,
  Chosen,
  PromptInfo,
  ResourceInfo,
  ResourceTemplateInfo,
  ToolResult,
} from '../catalog.js';
import { ServiceError, remarkRetry, toServiceError } from '../errors.js';
import type { Plugin, Prompt, Resource } from '../plugin.js';
import type { AdmittedCall, Access } from '../tool.js';
import type { Uses } from '../token.js';
import { abortReason } from './abort-reason.js';
import type { Admissions } from './admission.js';
import { instructionsFor } from './instructions.js';
import type { LimitCall } from './call-limits.js';
import type { Container } from './container.js';
import { changedResources, followResources, resourceAddresses } from '../events/resource-changes.js';
import type { Registry } from '../boot/registry.js';
import type { ResourceOwner } from '../services.js';
import { isStorable } from '../text.js';
import { matchTemplate, variablesOf } from './uri-template.js';
import { invalid } from './validate.js';

interface CatalogHost {
  readonly registry: Registry;
  readonly container: Container;
  readonly admissions: Admissions;
  readonly owners: readonly ResourceOwner[];
  readonly limit: LimitCall;
  readonly streamEvents: Catalog['streamEvents'];
  readonly onChanged: Catalog['onChanged'];
  readonly invoke: (name: string, args: unknown, call: CallContext) => Promise<ToolResult>;
}

/** MCP shows at most as many candidates of a completion. */
const MAX_CANDIDATES = 100;
/** The rate limit of lists, resources and prompts. */
const READS = 'catalog:read';

/** The catalog that the enabled plugins fill. */
export function createLocalCatalog(plugins: readonly Plugin[], host: CatalogHost): Catalog {
  const resources = plugins.flatMap(({ id, resources }) =>
    resources.map((part) => ({ ...part, plugin: id })),
  );
  const prompts = plugins.flatMap(({ id, prompts }) => prompts.map((part) => ({ ...part, plugin: id })));
  const followed = {
    streamEvents: host.streamEvents,
    changedResources: changedResources(plugins),
    addressOf: resourceAddresses(plugins),
  };
  const allowed = (part: { access: Access }, call: CallContext) => mayUse(call.caller, part.access.scope);

  /** Admits a read of a resource or a rendering of a prompt just as invoke admits a tool, and limits its time likewise. */
  async function within<T>(
    part: { access: Access; uses: Uses; plugin: string },
    args: Record<string, unknown>,
    call: CallContext,
    work: (deps: Readonly<Record<string, unknown>>, call: AdmittedCall) => Promise<T>,
  ): Promise<T> {
    try {
      await host.limit(call, READS);
      const access = { role: 'viewer' as const, ...part.access };
      if (!allowed(part, call))
        throw new ServiceError('PERMISSION_DENIED', `This needs the scope ${access.scope}.`, {
          details: { scope: access.scope },
        });
      if (access.in === 'workspace') {
        const issues = await host.admissions.fillWorkspace(args, call);
        if (issues.length > 0) throw invalid(issues);
      }
      const admission = await host.admissions.admit(access, 'read', args, call);
      const deps = host.container.resolveForCall(part.uses, part.plugin, admission);
      return await untilAborted(work(deps, amendCall(call, { admission })), call);
    } catch (thrown) {
      const error = toServiceError(abortReason(thrown, call), call.requestId);
      remarkRetry(call, error);
      if (error.code === 'INTERNAL')
        call.log.error({ err: error.cause, request_id: call.requestId }, 'a resource or prompt failed');
      throw error;
    }
  }

  const catalog: Catalog = {
    instructions: (call) => Promise.resolve(instructionsFor(plugins, host.registry.list(call))),
    async tools(call) {
      await host.limit(call, READS);
      return host.registry.list(call);
    },
    call: host.invoke,
    resources: (call) =>
      Promise.resolve(
        resources
          .filter((resource) => !resource.uriTemplate.includes('{') && allowed(resource, call))
          .map(({ uriTemplate: uri, name, title, description, mimeType }): ResourceInfo => ({
            uri,
            name,
            title,
            description,
            mimeType,
          })),
      ),
    resourceTemplates: (call) =>
      Promise.resolve(
        resources
          .filter((resource) => resource.uriTemplate.includes('{') && allowed(resource, call))
          .map(({ uriTemplate, name, title, description, mimeType }): ResourceTemplateInfo => ({
            uriTemplate,
            name,
            title,
            description,
            mimeType,
          })),
      ),
    async readResource(uri, call) {
      for (const resource of resources) {
        const variables = matchTemplate(resource.uriTemplate, uri);
        if (!variables) continue;
        const read = resource.read as (
          variables: object,
          deps: unknown,
          call: AdmittedCall,
        ) => ReturnType<Resource['read']>; // erasure: typed by defineResource
        return within(resource, { ...variables }, call, (deps, admitted) => read(variables, deps, admitted));
      }
      throw new ServiceError(
        'NOT_FOUND',
        `There is no resource ${uri.slice(0, 200)}. Call resources/list for those that exist.`,
      );
    },
    prompts: (call) =>
      Promise.resolve(
        prompts
          .filter((prompt) => allowed(prompt, call))
          .map(({ name, title, description, arguments: args }): PromptInfo => ({
            name,
            title,
            description,
            arguments: args,
          })),
      ),
    async prompt(name, args, call) {
      const prompt = prompts.find((candidate) => candidate.name === name);
      if (!prompt)
        throw new ServiceError(
          'INVALID_ARGUMENT',
          `There is no prompt "${name.slice(0, 64)}". Call prompts/list for the names.`,
        );
      const missing = prompt.arguments.find(
        (argument) => argument.required && args[argument.name] === undefined,
      );
      if (missing) throw new ServiceError('INVALID_ARGUMENT', `${missing.name}: is required`);
      const render = prompt.render as (
        args: object,
        deps: unknown,
        call: AdmittedCall,
      ) => ReturnType<Prompt['render']>; // erasure: typed by definePrompt
      return within(prompt, { ...args }, call, (deps, admitted) => render(args, deps, admitted));
    },
    async complete(reference, argument, call) {
      const part =
        'prompt' in reference
          ? prompts.find(({ name }) => name === reference.prompt)
          : resources.find(({ uriTemplate }) => uriTemplate === reference.template);
      if (!part) throw new ServiceError('INVALID_ARGUMENT', 'There is no such prompt or resource template.');
      const { name, value } = argument;
      const others = Object.fromEntries(
        Object.entries(argument.others ?? {}).filter(([, text]) => isStorable(text)),
      );
      const names =
        'arguments' in part ? part.arguments.map((each) => each.name) : variablesOf(part.uriTemplate);
      if (!names.includes(name) || !isStorable(value)) return [];
      const visibly = { ...part, access: { ...part.access, in: 'visible' as const } };
      const owner = host.owners.find(({ resource }) => `${resource}_id` === name);
      if (owner?.startingWith) {
        return within({ ...visibly, uses: {} }, {}, call, async (_deps, { admission: { workspaceIds } }) => {
          const { workspace_id: chosen = '' } = others;
          const among = workspaceIds.includes(chosen) ? [chosen] : workspaceIds;
          return (await owner.startingWith?.(value, among, MAX_CANDIDATES)) ?? [];
        });
      }
      const complete = part.complete as
        | ((...args: [string, string, unknown, AdmittedCall, Chosen]) => Promise<readonly string[]>)
        | undefined; // erasure, as above
      if (!complete) return [];
      return within(visibly, {}, call, (deps, admitted) => complete(name, value, deps, admitted, others));
    },
    onChanged: host.onChanged,
    async subscribe(uris, call, listener, added = uris) {
      for (const uri of added) await catalog.readResource(uri, call); // subscribing needs permission to read
      return followResources(followed, uris, call, listener);
    },
    streamEvents: host.streamEvents,
  };
  return catalog;
}

/** A catalog that is made later: services get it before it exists, and use it once calls come. */
export function deferred(catalog: () => Catalog): Catalog {
  return {
    instructions: (call) => catalog().instructions(call),
    tools: (call) => catalog().tools(call),
    call: (name, args, call) => catalog().call(name, args, call),
    resources: (call) => catalog().resources(call),
    resourceTemplates: (call) => catalog().resourceTemplates(call),
    readResource: (uri, call) => catalog().readResource(uri, call),
    prompts: (call) => catalog().prompts(call),
    prompt: (name, args, call) => catalog().prompt(name, args, call),
    complete: (reference, argument, call) => catalog().complete(reference, argument, call),
    onChanged: (listener) => catalog().onChanged(listener),
    subscribe: (...subscription) => catalog().subscribe(...subscription),
    streamEvents: (request, call) => catalog().streamEvents(request, call),
  };
}
