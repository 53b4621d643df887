import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Origin } from '../instructions.js';
import type { Unit } from '../program.js';
import type { Place } from './walker.js';

/** Place of an operation on an expression. */
export function originOf(unit: Unit, of: code.Expression, { scope, source }: Place): Origin {
  return { unit, scope, source, line: lineOf(of) ?? 0 };
}

/** The line of the first part of an expression that has one. */
function lineOf(expression: code.Expression): number | undefined {
  if ('line' in expression) return expression.line;
  switch (expression.kind) {
    case 'function':
      return expression.function.line;
    case 'class':
      return expression.class.line;
    case 'index':
    case 'slice':
      return lineOf(expression.object);
    case 'list':
    case 'tuple':
    case 'set':
      return firstLine(expression.items);
    case 'object':
      return firstLine(expression.entries.map(({ value }) => value));
    case 'choice':
    case 'operation':
      return firstLine(expression.of);
    case 'super':
      return expression.call?.line;
    case 'block':
      return expression.value && lineOf(expression.value);
    case 'this':
    case 'literal':
      return undefined;
    case 'address':
    case 'assign':
    case 'await':
    case 'cast':
    case 'enter':
    case 'spread':
    case 'unwrap':
    case 'yield':
      return lineOf(expression.value);
  }
}

function firstLine(expressions: readonly code.Expression[]): number | undefined {
  for (const each of expressions) {
    const line = lineOf(each);
    if (line !== undefined) return line;
  }
  return undefined;
}
