import { Type } from 'typebox';
import type { Validators } from '../call/validate.js';
import { eventTypesOf } from '../events/event-types.js';
import type { Plugin } from '../plugin.js';
import { closed } from '../schemas.js';
import type { JsonSchema, Tool } from '../tool.js';
import { VIEW_ICONS, type RowAction, type View } from '../view.js';
import { BootError, suggest } from './boot-error.js';
import { refuseMistyped } from './check-declarations.js';

const word = Type.String({ minLength: 1 });
const action = Type.Object(
  {
    tool: word,
    label: word,
    with: Type.Record(Type.String(), Type.String()),
    unless: Type.Optional(word),
    own_label: Type.Optional(word),
  },
  closed,
);
const VIEW = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
    title: word,
    about: Type.Optional(word),
    icon: Type.Optional(Type.Enum([...VIEW_ICONS])),
    accounts: Type.Optional(Type.Boolean()),
    list: word,
    columns: Type.Array(word, { minItems: 1 }),
    create: Type.Optional(word),
    remove: Type.Optional(action),
    actions: Type.Optional(Type.Array(action)),
    refresh_on: Type.Optional(Type.Array(word)),
  },
  closed,
);

/** Refuses views of tools, columns, arguments and events that do not exist: what `definePlugin` refuses by its types. */
export function refuseFaultyViews(plugins: readonly Plugin[], validators: Validators): void {
  const events = eventTypesOf(plugins).map(({ type }) => type);
  for (const { id, toolsets, views } of plugins) {
    const tools = new Map(toolsets.flatMap((toolset) => toolset.tools.map((tool) => [tool.name, tool])));
    const seen = new Set<string>();
    for (const view of views) {
      const place = `plugin ${id}, view "${view.id}"`;
      refuseMistyped(place, VIEW, view, 'definePlugin', validators);
      if (seen.has(view.id)) throw new BootError(place, 'it is there twice', 'Rename the view.');
      seen.add(view.id);
      refuseFaultyView(place, view, tools);
      for (const start of view.refresh_on ?? [])
        if (!events.some((type) => type.startsWith(start)))
          throw new BootError(
            place,
            `refresh_on names "${start}", and no event starts with it`,
            suggest(start, events),
          );
    }
  }
}

function refuseFaultyView(place: string, view: View, tools: ReadonlyMap<string, Tool>): void {
  const toolOf = (where: string, name: string): Tool => {
    const tool = tools.get(name);
    if (!tool)
      throw new BootError(
        place,
        `${where} names "${name}", which is not a tool of the plugin`,
        suggest(name, [...tools.keys()]),
      );
    if (!tool.surfaces.includes('rest') && !tool.surfaces.includes('rpc'))
      throw new BootError(
        place,
        `${where} names "${name}", which no browser reaches`,
        "Add 'rest' or 'rpc' to its surfaces.",
      );
    return tool;
  };
  const rows = rowsOf(toolOf('list', view.list));
  if (!rows)
    throw new BootError(
      place,
      `"${view.list}" does not answer a page of objects`,
      'List its output as Page(…).',
    );
  const columns = Object.keys(rows);
  const refuseUnknownColumn = (where: string, name: string) => {
    if (!columns.includes(name))
      throw new BootError(
        place,
        `${where} names "${name}", which is not a field of its rows`,
        suggest(name, columns),
      );
  };
  for (const name of view.columns) refuseUnknownColumn('columns', name);
  if (view.create !== undefined) toolOf('create', view.create);
  for (const [where, row] of rowActions(view)) {
    const { inputSchema, access } = toolOf(where, row.tool);
    if (row.own_label !== undefined && access.unlessSelf === undefined)
      throw new BootError(
        place,
        `${where}.own_label is of "${row.tool}", which callers may not use on themselves by right`,
        'Name the argument of their id in `access.unlessSelf` of the tool, or leave own_label out.',
      );
    const known = Object.keys(inputSchema['properties'] ?? {});
    for (const [argument, column] of Object.entries(row.with)) {
      if (!known.includes(argument))
        throw new BootError(
          place,
          `${where}.with names "${argument}", which is not an argument of "${row.tool}"`,
          suggest(argument, known),
        );
      refuseUnknownColumn(`${where}.with`, column);
    }
    if (row.unless !== undefined) refuseUnknownColumn(`${where}.unless`, row.unless);
  }
}

function rowActions({ remove, actions = [] }: View): ReadonlyArray<readonly [where: string, RowAction]> {
  return [
    ...(remove ? [['remove', remove] as const] : []),
    ...actions.map((row) => ['actions', row] as const),
  ];
}

/** The fields of the rows that a page holds. */
function rowsOf({ outputSchema }: Tool): JsonSchema | undefined {
  let schema: unknown = outputSchema;
  for (const key of ['properties', 'items', 'items', 'properties'])
    schema = (schema as JsonSchema | undefined)?.[key];
  return schema as JsonSchema | undefined;
}
