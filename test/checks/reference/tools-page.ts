import { toolEntry } from '@service-mcp/core/wire';
import type { PlacedPlugin, PlacedTool } from '../deployment.js';
import { code, page, prose, table, value } from './markdown.js';
import { fieldsOf, type Schema } from './schema-text.js';

/** The tools of one plugin, by toolset. */
export function toolsPage({ plugin }: PlacedPlugin, tools: readonly PlacedTool[]): string {
  const sections = plugin.toolsets.flatMap(({ id, description }) => [
    `## Toolset ${code(id)}\n\n${description}`,
    ...tools.filter(({ info }) => info.toolset === id).map(toolSection),
  ]);
  return page(`Tools of ${plugin.id}`, plugin.description, ...sections);
}

function toolSection({ tool, info }: PlacedTool): string {
  const { name, title, description, effect, access, level, http, surfaces } = tool;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = toolEntry(info).annotations;
  const hints = Object.entries({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });
  const facts = [
    ['effect', `${effect} (${hints.map(([hint, is]) => `${hint} ${is}`).join(', ')})`],
    ['level', level],
    ['access', accessText(access)],
    ['route', http ? `${code(`${http.method} ${http.path}`)}, ${http.status}${linesOf(http)}` : 'none'],
    ['surfaces', surfaces.join(', ')],
  ];
  const given = fieldsOf(tool.inputSchema as Schema).map((field) => [
    code(field.path),
    field.type,
    field.required ? 'yes' : '',
    value(field.schema.default),
    prose(field.schema.description ?? ''),
  ]);
  const answered = fieldsOf(tool.outputSchema as Schema).map((field) => [
    code(field.path),
    field.type,
    field.required ? '' : 'may be absent',
    prose(field.schema.description ?? ''),
  ]);
  return [
    `### ${code(name)}: ${title}`,
    prose(description),
    table(['', ''], facts),
    given.length > 0
      ? table(['argument', 'type', 'required', 'default', 'description'], given)
      : 'It takes no arguments.',
    table(['result', 'type', '', 'description'], answered),
  ].join('\n\n');
}

function linesOf({ streams }: NonNullable<PlacedTool['tool']['http']>): string {
  if (streams === undefined) return '';
  const what = streams === 'in' ? 'the body is lines' : 'the answer is lines, and the result the last one';
  return `; ${what} (${code('application/x-ndjson')})`;
}

export function accessText({ scope, role, in: where }: PlacedTool['tool']['access']): string {
  if (scope === 'public') return 'open';
  const needed = scope === 'authenticated' ? 'any credential' : `scope ${code(scope)}`;
  const place =
    typeof where === 'object'
      ? `the workspace of the ${where.resource} in ${code(where.id)}`
      : {
          workspace: `the workspace in ${code('workspace_id')}`,
          visible: 'every workspace you may see',
          deployment: 'no workspace',
          self: 'your own account',
          administration: `the workspace in ${code('workspace_id')}, or the deployment for its administrators`,
        }[where];
  const hasRole = where !== 'deployment' && where !== 'self';
  return `${needed}${hasRole ? `, role ${role}` : ''}, in ${place}`;
}
