import { Type } from 'typebox';
import {
  Deployment,
  ROLES,
  RegistryView,
  VIEW_ICONS,
  closed,
  defineTool,
  type RowAction,
} from '@service-mcp/core';

const text = Type.String();
const texts = Type.Array(text);
const Action = Type.Object(
  {
    tool: text,
    label: text,
    with: Type.Record(text, text, {
      description: 'Arguments that a row supplies: argument to column; hidden where it is null',
    }),
    unless: Type.Optional(Type.String({ description: 'Hide the action where this column has a value' })),
    own_label: Type.Optional(Type.String({ description: 'The label where the row is the caller' })),
  },
  closed,
);
const View = Type.Object(
  {
    plugin: text,
    id: Type.String({ description: 'Unique in the plugin' }),
    title: text,
    about: Type.Optional(Type.String({ description: 'What the page shows, for a person' })),
    icon: Type.Optional(Type.Enum([...VIEW_ICONS], { description: 'Beside its name; default: list' })),
    role: Type.Optional(Type.Enum([...ROLES], { description: 'Least role in the workspace for its list' })),
    administrators: Type.Optional(
      Type.Boolean({ description: 'True: its list is for administrators of the deployment alone' }),
    ),
    list: Type.String({ description: 'The tool that answers the rows' }),
    columns: texts,
    create: Type.Optional(text),
    remove: Type.Optional(Action),
    actions: Type.Array(Action),
    refresh_on: Type.Array(text, { description: 'Starts of types of events' }),
  },
  closed,
);

export const getDeployment = defineTool({
  name: 'deployment_get',
  title: 'Show the deployment',
  description:
    'Shows the version of the service, whether it has accounts or is read-only, its plugins, toolsets, pages and kinds of events.',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      server: text,
      version: text,
      accounts: Type.Boolean({ description: 'False: one owner uses it, without logging in' }),
      read_only: Type.Boolean(),
      plugins: Type.Array(Type.Object({ id: text, description: text }, closed)),
      toolsets: Type.Array(
        Type.Object(
          {
            id: text,
            plugin: text,
            description: text,
            tools: texts,
            list_bytes: Type.Integer({
              description: 'Bytes of its tools in tools/list over MCP; about four are one token of a model',
            }),
          },
          closed,
        ),
      ),
      views: Type.Array(View, { description: 'Pages that the dashboard draws from tools' }),
      events: Type.Array(Type.Object({ type: text, description: text }, closed)),
    },
    closed,
  ),
  effect: 'read',
  access: { scope: 'public', in: 'deployment' },
  http: { method: 'GET', path: '/v1/deployment' },
  surfaces: ['rest', 'rpc'],
  uses: { deployment: Deployment, registry: RegistryView },
  async handler(_input, { deployment, registry }) {
    const { plugins, toolsets, views, events, allowed, readOnly } = registry;
    return {
      server: deployment.name,
      version: deployment.version,
      accounts: !deployment.singleOwner,
      read_only: readOnly,
      plugins: plugins.map(({ id, description }) => ({ id, description })),
      toolsets: toolsets.map(({ id, plugin, description }) => {
        const tools = allowed.filter(({ info }) => info.toolset === id).map(({ info }) => info);
        const list_bytes = tools.reduce((bytes, info) => bytes + registry.listedBytes(info), 0);
        return { id, plugin, description, tools: tools.map(({ name }) => name), list_bytes };
      }),
      views: views
        .filter(({ accounts = false }) => !accounts || !deployment.singleOwner)
        .map(({ accounts: _accounts, columns, remove, actions, refresh_on, ...view }) => ({
          ...view,
          columns: [...columns],
          ...(remove && { remove: mutable(remove) }),
          actions: actions.map(mutable),
          refresh_on: [...refresh_on],
        })),
      events: events.map(({ type, description }) => ({ type, description })),
    };
  },
});

/** Results are plain objects of their own. */
const mutable = ({ with: supplied, ...action }: RowAction) => ({ ...action, with: { ...supplied } });
