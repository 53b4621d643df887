import type { code } from '@service-mcp/plugin-syntax/contract';
import type { LanguageRules, LiteralKind } from '../language-rules.js';
import { Node } from '../node.js';
import type { Place, Walker } from './walker.js';

/** Arithmetic and the like: a plain value, or what the function of the operator gives. */
export function compileOperation(
  walker: Walker,
  { of, operator, type }: Extract<code.Expression, { kind: 'operation' }>,
  place: Place,
): Node | undefined {
  const { unit } = walker;
  const operands = of.map((each) => walker.expression(each, place));
  const isPlain = of.every((each, index) => each.kind === 'literal' || !operands[index]);
  if (!operator || isPlain || !isDecided(unit.rules, operator.name, of.length))
    return type && literal(walker, type);
  const result = new Node();
  const { scope, source } = place;
  unit.instructions.push({
    kind: 'operator',
    unit,
    scope,
    source,
    line: operator.line,
    operator: operator.name,
    operands,
    type: type && isLiteralKind(type) ? type : undefined,
    result,
  });
  return result;
}

/** True for an operator whose result the types of its operands decide. */
function isDecided({ operators, numbers }: LanguageRules, operator: string, operands: number): boolean {
  return numbers !== undefined || (operators?.names(operator, operands).length ?? 0) > 0;
}

const LITERALS: ReadonlySet<string> = new Set<LiteralKind>(['string', 'number', 'boolean', 'regexp']);

/** Equal literals in a file share a node, all of a type where they are not keys. */
export function literal({ unit }: Walker, type: code.Literal['type'], key?: string): Node | undefined {
  if (!isLiteralKind(type)) return undefined;
  const id = key === undefined ? type : `${type} ${key}`;
  let node = unit.literals.get(id);
  if (!node) {
    unit.literals.set(id, (node = new Node()));
    unit.instructions.push({ kind: 'literal', type, key, node, unit });
  }
  return node;
}

function isLiteralKind(type: string): type is LiteralKind {
  return LITERALS.has(type);
}
