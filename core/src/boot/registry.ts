import { mayUse, SURFACES, type CallContext, type Surface } from '../caller.js';
import type { ToolInfo } from '../catalog.js';
import { amendCall } from '../call.js';
import type { Plugin } from '../plugin.js';
import type { RegistryView } from '../services.js';
import { declaredPaths, type Tool } from '../tool.js';
import { LEVELS } from '../toolset.js';
import { isLevel, selects, type Selection } from '../toolset.js';
import { ServiceError } from '../errors.js';
import { eventTypesOf } from '../events/event-types.js';
import { briefEntry } from '../wire/tool-entry.js';
import { BootError, suggest } from './boot-error.js';
import { outsideSelection } from './outside-selection.js';
import { refuseNothing } from './refuse-nothing.js';
import { servedViews } from './served-views.js';

/** A tool with where it comes from. */
export interface RegisteredTool {
  readonly tool: Tool;
  readonly info: ToolInfo;
  /** Domain and verb that its calls count against: `search:read`. */
  readonly group: string;
}

/** The tools that a deployment allows and shows. */
export interface ToolsetSettings {
  readonly allowed: readonly string[];
  readonly default: readonly string[];
  readonly exclude: readonly string[];
  readonly readOnly: boolean;
}

/** Routes under `/api/v1/tools/` that a tool of that name would hide. */
const RESERVED_NAMES = new Set(['call', 'list']);
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * The tools of a deployment: fixed at boot, filtered in one order by surface, ceiling, exclusion,
 * read-only mode, the request's selection and the caller's scopes.
 */
export class Registry implements RegistryView {
  readonly #byName = new Map<string, RegisteredTool>();
  readonly #aliases = new Map<string, string>();
  readonly #settings: ToolsetSettings;
  readonly #listedBytes = new WeakMap<ToolInfo, number>();
  readonly toolsets: RegistryView['toolsets'];
  readonly plugins: readonly Plugin[];
  readonly events: RegistryView['events'];
  readonly readOnly: boolean;
  readonly views: RegistryView['views'];
  /** Every tool under the ceiling, sorted by name. */
  readonly allowed: readonly RegisteredTool[];

  constructor(plugins: readonly Plugin[], settings: ToolsetSettings) {
    this.#settings = settings;
    this.readOnly = settings.readOnly;
    this.plugins = plugins;
    this.events = eventTypesOf(plugins);
    const routes = new Map<string, string>();
    const toolsets: Array<RegistryView['toolsets'][number]> = [];
    const prefixes = prefixesOf(plugins);
    for (const plugin of plugins) {
      for (const toolset of plugin.toolsets) {
        const { id, description, callsOthers = false } = toolset;
        toolsets.push({ id, plugin: plugin.id, description, callsOthers });
        for (const tool of toolset.tools) {
          refuseBadName(plugin, tool, prefixes);
          this.#add(plugin, toolset.id, tool, routes);
        }
      }
    }
    this.toolsets = toolsets;
    for (const [alias, name] of this.#aliases) {
      if (this.#byName.has(alias)) {
        throw new BootError(`tool ${name}`, `its alias "${alias}" is the name of a tool`, 'Drop the alias.');
      }
    }
    for (const key of ['allowed', 'default', 'exclude'] as const) {
      for (const word of settings[key]) this.#refuseUnknown(word, `toolsets.${key}`);
    }
    this.allowed = [...this.#byName.values()]
      .filter(({ info }) => this.#underCeiling(info))
      .sort((a, b) => (a.info.name < b.info.name ? -1 : 1));
    refuseNothing([...this.#byName.values()], this.allowed, settings);
    this.views = servedViews(
      plugins,
      this.allowed.map(({ info }) => info),
    );
  }

  /** Levels, toolset ids and tool names: the words a selection may hold. */
  words(): string[] {
    return [...LEVELS, ...this.toolsets.map(({ id }) => id), ...this.#byName.keys()];
  }

  /** The deployment's default: the tools that a request sees which selects none. */
  defaultSelection(): Selection {
    return { toolsets: this.#settings.default, readOnly: false };
  }

  reach(call: CallContext): CallContext {
    const callers = new Set(this.toolsets.flatMap(({ id, callsOthers }) => (callsOthers ? [id] : [])));
    const optional = this.allowed
      .filter(({ info }) => info.level === 'optional' && !callers.has(info.toolset))
      .map(({ info }) => info.name);
    const toolsets = ['complete', ...optional];
    return amendCall(call, { selection: { toolsets, readOnly: call.selection.readOnly } });
  }

  /** Everything under the ceiling. */
  ceiling(): Selection {
    return { toolsets: this.#settings.allowed, readOnly: false };
  }

  list(call: CallContext): ToolInfo[] {
    const shown: ToolInfo[] = [];
    for (const { info } of this.allowed) if (this.#visible(info, call)) shown.push(info);
    return shown;
  }

  listedBytes(info: ToolInfo): number {
    let bytes = this.#listedBytes.get(info);
    if (bytes === undefined) {
      bytes = isOn(info, 'mcp') ? Buffer.byteLength(JSON.stringify(briefEntry(info))) : 0;
      this.#listedBytes.set(info, bytes);
    }
    return bytes;
  }

  /** The tool of that name or alias. Throws UNKNOWN_TOOL where this call may not see it, PERMISSION_DENIED without its scope. */
  find(name: string, call: CallContext): RegisteredTool {
    const found = this.#byName.get(this.#aliases.get(name) ?? name);
    if (!found || !this.#underCeiling(found.info)) {
      const known = this.list(call).map((info) => info.name);
      throw new ServiceError(
        'UNKNOWN_TOOL',
        `There is no tool "${name.slice(0, 64)}" here. ${known.length > 40 ? suggestOrList(name, known) : suggest(name.slice(0, 64), known)}`,
      );
    }
    if (!isOn(found.info, call.surface)) {
      const served = SURFACES.filter((own) => isOn(found.info, own)).map((own) => SURFACE_NAMES[own]);
      throw new ServiceError(
        'UNKNOWN_TOOL',
        `The tool "${name}" is not served on this surface, only by ${served.join(' and ')}.`,
      );
    }
    if (!selects(call.selection, found.info))
      throw outsideSelection(name, found.info, call.selection, this.list(call));
    if (!hasScope(found.info, call)) {
      if (call.caller.kind === 'anonymous')
        throw new ServiceError('UNAUTHENTICATED', `The tool "${name}" needs a credential.`);
      throw new ServiceError(
        'PERMISSION_DENIED',
        `The tool "${name}" needs the scope ${found.info.access.scope}. Use a credential that has it.`,
        {
          details: { scope: found.info.access.scope },
        },
      );
    }
    return found;
  }

  /** The domain and verb that a call of the name counts against: `search:read`. */
  groupOf(name: string): string {
    return this.#byName.get(this.#aliases.get(name) ?? name)?.group ?? 'unknown:read';
  }

  #visible(info: ToolInfo, call: CallContext): boolean {
    return isOn(info, call.surface) && selects(call.selection, info) && hasScope(info, call);
  }

  #underCeiling(info: ToolInfo): boolean {
    const { allowed, exclude, readOnly } = this.#settings;
    if (exclude.some((word) => word === info.name || word === info.toolset)) return false;
    // A tool that no level lists is under every ceiling: a request that names it gets it, unless it is excluded.
    const words = info.level === 'optional' ? [info.name] : allowed;
    return selects({ toolsets: words, readOnly }, info);
  }

  #refuseUnknown(word: string, place: string): void {
    const known = this.words();
    if (!known.includes(word)) {
      const near = suggest(word.slice(0, 64), known);
      const ids = this.toolsets.map(({ id }) => id);
      throw new BootError(
        `${place}: "${word}"`,
        'no enabled plugin has a toolset or tool of that name',
        near.startsWith('Known:') ? `Write ${[...LEVELS, ...ids].join(', ')}, or the name of a tool.` : near,
      );
    }
  }

  #add(plugin: Plugin, toolset: string, tool: Tool, routes: Map<string, string>): void {
    const place = `plugin ${plugin.id}, tool "${tool.name}"`;
    const twin = this.#byName.get(tool.name);
    if (twin) {
      throw new BootError(
        place,
        `plugin ${twin.info.plugin} has a tool of that name`,
        'Rename the tool or leave one plugin out.',
      );
    }
    const { method } = tool.http ?? {};
    for (const path of tool.http ? declaredPaths(tool.http) : []) {
      const route = `${method} ${path.replaceAll(/:[^/]+/g, ':')}`;
      const taken = routes.get(route);
      if (taken)
        throw new BootError(place, `${method} ${path} is the route of tool "${taken}"`, 'Change the path.');
      routes.set(route, tool.name);
    }
    for (const alias of tool.aliases) this.#aliases.set(alias, tool.name);
    const {
      handler: _handler,
      uses: _uses,
      rawText: _rawText,
      aliases: _aliases,
      secretResult: _secret,
      text: _text,
      ...shown
    } = tool;
    const [domain = '', verb] = tool.access.scope.split(':');
    const group = `${verb === undefined ? plugin.id : domain}:${tool.effect === 'read' ? 'read' : 'write'}`;
    this.#byName.set(tool.name, { tool, info: { ...shown, plugin: plugin.id, toolset }, group });
  }
}

/** Whose each beginning of a tool's name is, by plugin: the ids of plugins and toolsets, and the prefixes of toolsets. */
function prefixesOf(plugins: readonly Plugin[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const own = (place: string, words: ReadonlyArray<string | undefined>, plugin: Plugin) => {
    for (const word of words) {
      if (word === undefined) continue;
      const owner = owners.get(word) ?? plugin.id;
      if (owner !== plugin.id || isLevel(word)) {
        const taken = isLevel(word)
          ? `"${word}" is the name of a level`
          : `"${word}" belongs to plugin ${owner}`;
        throw new BootError(place, taken, `Rename the ${place.includes('toolset') ? 'toolset' : 'plugin'}.`);
      }
      owners.set(word, owner);
    }
  };
  for (const plugin of plugins) own(`plugin ${plugin.id}`, [plugin.id], plugin);
  for (const plugin of plugins) {
    const ids = plugin.toolsets.map(({ id }) => id);
    for (const { id, prefix } of plugin.toolsets) {
      const place = `plugin ${plugin.id}, toolset "${id}"`;
      if (ids.indexOf(id) !== ids.lastIndexOf(id))
        throw new BootError(place, 'it is there twice', 'Rename the toolset.');
      own(place, [id, prefix], plugin);
    }
  }
  return owners;
}

function refuseBadName(plugin: Plugin, { name }: Tool, prefixes: ReadonlyMap<string, string>): void {
  const place = `plugin ${plugin.id}, tool "${name}"`;
  if (!NAME.test(name)) {
    throw new BootError(place, 'the name is not 1 to 64 characters of a-z, 0-9 and _', 'Rename the tool.');
  }
  if (RESERVED_NAMES.has(name)) {
    throw new BootError(place, `/api/v1/tools/${name} is a route`, 'Rename the tool.');
  }
  const own = [...prefixes]
    .filter(([, owner]) => owner === plugin.id)
    .map(([prefix]) => prefix.replaceAll('-', '_'));
  if (own.some((prefix) => name === prefix || name.startsWith(`${prefix}_`))) return;
  throw new BootError(
    place,
    'its name begins with neither the plugin nor one of its toolsets',
    `Begin it with ${own.map((prefix) => `${prefix}_`).join(' or ')}.`,
  );
}

const SURFACE_NAMES: Readonly<Record<(typeof SURFACES)[number], string>> = {
  mcp: 'MCP',
  rpc: 'JSON-RPC',
  rest: 'REST',
  cli: 'the command line',
};

function hasScope(info: ToolInfo, call: CallContext): boolean {
  return mayUse(call.caller, info.access.scope);
}

function suggestOrList(word: string, known: readonly string[]): string {
  const near = suggest(word.slice(0, 64), known);
  return near.startsWith('Known:') ? 'Call tools/list for the names.' : near;
}

/** A tool that names its surfaces is on these alone; one on all of ours is on those of other transports too. */
function isOn({ surfaces }: ToolInfo, surface: Surface): boolean {
  return surfaces.includes(surface) || SURFACES.every((own) => surfaces.includes(own));
}
