import { Type } from 'typebox';
import { ROLES, SURFACES } from '../caller.js';
import type { Validators } from '../call/validate.js';
import { expandTemplate, variablesOf } from '../call/uri-template.js';
import { PLUGIN_FIELDS, type Plugin, type Worker } from '../plugin.js';
import { closed } from '../schemas.js';
import type { Dependency, Uses } from '../token.js';
import { METHODS, PLACES, STREAMS, declaredPaths, type Access, type JsonSchema, type Tool } from '../tool.js';
import { EFFECTS, LEVELS } from '../toolset.js';
import { BootError, suggest } from './boot-error.js';
import { refuseChangeByGet, refuseUnknownSurfaces, refuseUnservableStream } from './check-surfaces.js';
import { defaultFault } from './default-fault.js';
import type { LoadedDeployment } from './load.js';
import { refuseTwinParts } from './refuse-twins.js';

/** What TypeScript holds a declaration to, for plugins in JavaScript. */
const access = Type.Object(
  {
    scope: Type.String({ pattern: '^(?:public|authenticated|[a-z][a-z0-9_-]*:[a-z][a-z0-9_-]*)$' }),
    role: Type.Optional(Type.Enum([...ROLES])),
    in: Type.Union([
      Type.Enum([...PLACES]),
      Type.Object({ resource: Type.String(), id: Type.String() }, closed),
    ]),
    unlessSelf: Type.Optional(Type.String()),
  },
  closed,
);
const uses = Type.Object({});
const PART = Type.Object({ access, uses });
const PROMPT = Type.Object({ access, uses, arguments: Type.Array(Type.Object({ name: Type.String() })) });
const WORKER = Type.Object({ uses });
const TOOL = Type.Object({
  title: Type.String({ pattern: '\\S' }),
  description: Type.String({ pattern: '\\S' }),
  access,
  uses,
  effect: Type.Enum([...EFFECTS]),
  level: Type.Enum([...LEVELS, 'optional']),
  surfaces: Type.Array(Type.String()),
  http: Type.Optional(
    Type.Object({
      method: Type.Enum([...METHODS]),
      path: Type.String({ pattern: '^/' }),
      streams: Type.Optional(Type.Enum([...STREAMS])),
    }),
  ),
});

/** Refuses declarations that cannot be meant, each with its place and remedy. */
export function refuseFaultyDeclarations({ plugins, transports, validators }: LoadedDeployment): void {
  const surfaces = [...SURFACES, ...transports.map(({ id }) => id)];
  for (const plugin of plugins) {
    refuseMisshapen(plugin);
    refuseStrangers(plugin);
    refuseRepeatedMigrations(plugin);
    const { id, toolsets, resources, prompts, workers, services, events } = plugin;
    for (const tool of toolsets.flatMap(({ tools }) => tools)) {
      const place = `plugin ${id}, tool "${tool.name}"`;
      refuseMistyped(place, TOOL, tool, 'defineTool', validators);
      refuseMissing(place, 'handler', tool.handler, 'defineTool');
      if (tool.text !== undefined) refuseMissing(place, 'text', tool.text, 'defineTool');
      refuseUnnamedUses(place, tool.uses);
      refuseUnknownSurfaces(place, tool, surfaces);
      refuseUnservableStream(place, tool);
      refuseChangeByGet(place, tool);
      refuseFaultySchemas(place, tool, validators);
      refuseUnknownArguments(place, argumentsOf(tool), Object.keys(propertiesOf(tool.inputSchema)));
    }
    for (const resource of resources) {
      const place = `plugin ${id}, resource "${resource.uriTemplate}"`;
      refuseMistyped(place, PART, resource, 'defineResource', validators);
      refuseMissing(place, 'read', resource.read, 'defineResource');
      refuseUnnamedUses(place, resource.uses);
      refuseFaultyAddress(place, resource.uriTemplate);
      refuseUnknownArguments(place, admittedBy(resource.access), variablesOf(resource.uriTemplate));
    }
    for (const prompt of prompts) {
      const place = `plugin ${id}, prompt "${prompt.name}"`;
      refuseMistyped(place, PROMPT, prompt, 'definePrompt', validators);
      refuseMissing(place, 'render', prompt.render, 'definePrompt');
      refuseUnnamedUses(place, prompt.uses);
      const names = prompt.arguments.map(({ name }) => name);
      refuseUnknownArguments(place, admittedBy(prompt.access), names);
    }
    for (const worker of workers) {
      const place = `plugin ${id}, worker "${worker.id}"`;
      refuseMissing(place, 'run', worker.run, 'defineWorker');
      refuseMistyped(place, WORKER, worker, 'defineWorker', validators);
      refuseUnnamedUses(place, worker.uses);
      refuseUnpaced(place, worker);
    }
    for (const { target, uses: used } of services)
      refuseUnnamedUses(`plugin ${id}, service ${target.name}`, used);
    for (const { type, data } of events)
      refuseUncompilable(`plugin ${id}, event "${type}"`, 'data', data, validators);
  }
  refuseTwinParts(plugins);
}

const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function refuseMisshapen(plugin: Plugin): void {
  if (!ID.test(plugin.id))
    throw new BootError(
      `plugin "${plugin.id}"`,
      'its id is not words of a-z and 0-9 with hyphens between them',
      'Write it like feature-flags.',
    );
  const unknown = Object.keys(plugin).find((field) => !PLUGIN_FIELDS.includes(field));
  if (unknown === undefined) return;
  throw new BootError(
    `plugin ${plugin.id}`,
    `"${unknown}" is not a field of definePlugin`,
    suggest(unknown, PLUGIN_FIELDS),
  );
}

/** Refuses members of a plugin's lists that no function of core made, such as a misspelt import. */
function refuseStrangers({ id, toolsets, resources, prompts, workers, services }: Plugin): void {
  const place = `plugin ${id}`;
  for (const { id: toolset, tools } of toolsets)
    refuseStranger(`${place}, toolset "${toolset}"`, 'tools', tools, 'defineTool');
  refuseStranger(place, 'resources', resources, 'defineResource');
  refuseStranger(place, 'prompts', prompts, 'definePrompt');
  refuseStranger(place, 'workers', workers, 'defineWorker');
  refuseStranger(place, 'services', services, 'provide or provideForCall');
}

/** Refuses a second migration of one id: it would never run. */
function refuseRepeatedMigrations({ id, migrations }: Plugin): void {
  const ids = migrations.map((step) => step.id);
  const twice = ids.find((each, at) => ids.indexOf(each) !== at);
  if (twice === undefined) return;
  throw new BootError(
    `plugin ${id}, migration "${twice}"`,
    'it is there twice, and the second would never run',
    'Give each step an id of its own; they run in the order of their ids.',
  );
}

function refuseStranger(place: string, list: string, members: readonly unknown[], define: string): void {
  const at = members.findIndex((each) => typeof each !== 'object' || each === null || Array.isArray(each));
  if (at === -1) return;
  const problem = `${list}[${at}] is ${kindOf(members[at])}`;
  const remedy = Array.isArray(members[at]) ? 'Spread it: ...name.' : `Put in what ${define} returns.`;
  throw new BootError(place, problem, remedy);
}

/** Refuses a dependency that is not a token: a name that its module does not export is undefined. */
function refuseUnnamedUses(place: string, used: Uses): void {
  for (const [name, dependency] of Object.entries<Dependency | undefined>(used)) {
    if (dependency?.kind !== undefined) continue;
    throw new BootError(
      place,
      `uses.${name} is ${kindOf(dependency)}, which is not a token`,
      'Name a token, and see that it is exported where it is imported from.',
    );
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value)
    ? 'a list'
    : value === undefined
      ? 'undefined'
      : `a value of type ${typeof value}`;
}

/** Without a time to wait the rounds would follow one another at once, for ever. */
function refuseUnpaced(place: string, { everyMs }: Worker): void {
  if (typeof everyMs === 'function' || (typeof everyMs === 'number' && everyMs > 0)) return;
  throw new BootError(
    place,
    'everyMs is neither a number above 0 nor a function',
    'Give it the milliseconds between two rounds.',
  );
}

/** Refuses braces that make up no variable: they would be read as they are, and no URI would fit. */
function refuseFaultyAddress(place: string, template: string): void {
  if (!/[{}]/.test(expandTemplate(template, {}))) return;
  throw new BootError(
    place,
    'its address has a variable that cannot be filled',
    'Write a variable as {name} or {+name}, of a-z and _.',
  );
}

/** Refuses a part of a declaration that the types of `define` would refuse. */
export function refuseMistyped(
  place: string,
  schema: object,
  part: object,
  define: string,
  validators: Validators,
): void {
  // The deepest issue says most: in a union each branch complains.
  const [issue] = validators
    .issues(schema, part)
    .sort((a, b) => b.path.split('/').length - a.path.split('/').length);
  if (!issue) return;
  const field = issue.path.slice(1).replaceAll('/', '.');
  throw new BootError(place, `${field} ${issue.message}`, `Correct it by the types of ${define}.`);
}

/** Refuses a part without the function that does its work. */
function refuseMissing(place: string, field: string, work: unknown, define: string): void {
  if (typeof work !== 'function')
    throw new BootError(place, `${field} is not a function`, `Correct it by the types of ${define}.`);
}

/** Names of arguments that a declaration uses, by where it uses them. */
type Used = ReadonlyArray<readonly [where: string, argument: string]>;

function admittedBy({ in: where, unlessSelf }: Access): Used {
  return [
    ...(typeof where === 'object' ? [['access.in.id', where.id] as const] : []),
    ...(unlessSelf === undefined ? [] : [['access.unlessSelf', unlessSelf] as const]),
  ];
}

function argumentsOf({ access: tool, http, rawText }: Tool): Used {
  const paths = http ? declaredPaths(http) : [];
  const parameters = paths.flatMap((path) => [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => name));
  return [
    ...admittedBy(tool),
    ...(tool.in === 'workspace' ? [['access.in "workspace"', 'workspace_id'] as const] : []),
    ...parameters.map((name) => ['http.path', name] as const),
    ...rawText.map((name) => ['rawText', name] as const),
  ];
}

function refuseUnknownArguments(place: string, used: Used, known: readonly string[]): void {
  const wrong = used.find(([, argument]) => !known.includes(argument));
  if (!wrong) return;
  const [where, argument] = wrong;
  const near =
    known.length > 0
      ? suggest(argument, known).replace(/^Known:/, 'Its arguments:')
      : `Add "${argument}" to its arguments.`;
  throw new BootError(place, `${where} names "${argument}", which is not an argument`, near);
}

function refuseFaultySchemas(
  place: string,
  { inputSchema, outputSchema }: Tool,
  validators: Validators,
): void {
  for (const [part, schema] of [
    ['input', inputSchema],
    ['output', outputSchema],
  ] as const) {
    if (schema['type'] !== 'object' || schema['anyOf'] || schema['oneOf'] || schema['allOf']) {
      throw new BootError(
        place,
        `its ${part} schema is not a plain object`,
        'Use Type.Object at the top, without anyOf, oneOf or allOf.',
      );
    }
    refuseUncompilable(place, part, schema, validators);
  }
  if (inputSchema['additionalProperties'] !== false) {
    throw new BootError(place, 'its input schema is open', 'Close it with { additionalProperties: false }.');
  }
  for (const [name, property] of Object.entries(propertiesOf(inputSchema))) {
    if (typeof property['description'] !== 'string') {
      throw new BootError(place, `its argument "${name}" has no description`, 'Describe it: models read it.');
    }
    const fault = defaultFault(property);
    if (fault !== undefined)
      throw new BootError(place, `the default of its argument "${name}" ${fault}`, 'Correct the schema.');
  }
}

function refuseUncompilable(place: string, part: string, schema: object, validators: Validators): void {
  const fault = validators.faultOf(schema);
  if (fault !== undefined) throw new BootError(place, `${part} schema, ${fault}`, 'Correct the schema.');
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}
