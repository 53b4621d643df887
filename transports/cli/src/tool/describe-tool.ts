import { effectOf, schemaTypes, type ToolEntry } from '@service-mcp/core/wire';
import { commandName } from '../command-name.js';
import { plural, printable, wrap } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import { choicesOf, type Schema } from './schema.js';

const ABOUT_TIMES =
  'time: RFC 3339, such as 2026-01-31T09:00:00Z; or a whole day of UTC, such as 2026-01-31, which since begins with and until ends with';

/** A tool and its arguments as lines for people. */
export function describeTool(tool: ToolEntry, terminal: Terminal): string[] {
  const schema = tool.inputSchema as Schema;
  const width = Math.max(40, Math.min(terminal.columns, 100));
  const fields = describeFields(schema, '', terminal, width);
  const hints = schema.required?.length ? [`  ${terminal.paint('dim', '* required')}`] : [];
  const times = takesTime(schema)
    ? wrap(ABOUT_TIMES, width - 2).map((line) => `  ${terminal.paint('dim', line)}`)
    : [];
  return [
    `${terminal.paint('bold', printable(tool.name))}  ${terminal.paint('dim', effectOf(tool.annotations))}  ${printable(tool.title)}`,
    '',
    ...wrap(printable(tool.description), width - 2).map((line) => `  ${line}`),
    '',
    ...(fields.length === 0
      ? ['  It takes no arguments.']
      : [terminal.paint('bold', 'Arguments'), ...fields, '', ...hints, ...times]),
  ];
}

/** The flag form of a call that gives just the required arguments; `target` are the flags that lead to the service. */
export function exampleCall(tool: ToolEntry, target: string): string {
  const { required = [] } = tool.inputSchema as Schema;
  const flags = required.map((name) => ` --${name.replaceAll('_', '-')} …`);
  return `${commandName()} call${target} ${tool.name}${flags.join('')}`;
}

function describeFields(schema: Schema, prefix: string, terminal: Terminal, width: number): string[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const flag = `--${prefix}${name.replaceAll('_', '-')}${required.has(name) ? '*' : ''}`;
    const about = [limits(field), field.description && printable(field.description)]
      .filter(Boolean)
      .join('. ');
    return [
      `  ${terminal.paint('cyan', printable(flag))}  ${terminal.paint('dim', typeWords(field))}`,
      ...wrap(about, width - 6).map((line) => `      ${line}`),
      ...describeFields(field, `${prefix}${name.replaceAll('_', '-')}.`, terminal, width),
    ];
  });
}

function typeWords(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices) return choices.map(String).join(' | ');
  if (schema.format === 'date-time') return 'time';
  const types = schemaTypes(schema);
  if (types.includes('array')) return `list of ${schema.items ? typeWords(schema.items) : 'values'}`;
  return types.length > 0 ? types.join(' or ') : 'any';
}

function takesTime({ format, anyOf = [], items, properties = {} }: Schema): boolean {
  const parts = [...anyOf, ...Object.values(properties), ...(items ? [items] : [])];
  return format === 'date-time' || parts.some(takesTime);
}

/** `1 to 100, default 10` */
function limits(schema: Schema): string {
  const parts = [
    range(schema.minimum, schema.maximum, (n) => String(n)),
    range(schema.minLength, schema.maxLength, (n) => plural(n, 'character')),
    range(schema.minItems, schema.maxItems, (n) => plural(n, 'item')),
  ];
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.filter((part) => part !== '').join(', ');
}

function range(min: number | undefined, max: number | undefined, show: (n: number) => string): string {
  if (min !== undefined && max !== undefined) return `${min} to ${show(max)}`;
  if (min !== undefined) return `at least ${show(min)}`;
  return max === undefined ? '' : `at most ${show(max)}`;
}
