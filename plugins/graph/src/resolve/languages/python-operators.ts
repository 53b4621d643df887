import type { OperatorRules } from '../operator-rules.js';

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'truediv',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '@': 'matmul',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'lshift',
  '>>': 'rshift',
};
const UNARY: Readonly<Record<string, string>> = { '-': 'neg', '+': 'pos', '~': 'invert' };
/** Comparisons, each with the member of the second operand. */
const COMPARISONS: Readonly<
  Record<string, readonly [names: readonly string[], reflected: readonly string[]]>
> = {
  '==': [['__eq__'], ['__eq__']],
  '!=': [
    ['__ne__', '__eq__'],
    ['__ne__', '__eq__'],
  ],
  '<': [['__lt__'], ['__gt__']],
  '>': [['__gt__'], ['__lt__']],
  '<=': [['__le__'], ['__ge__']],
  '>=': [['__ge__'], ['__le__']],
};

function names(operator: string, operands: number): readonly string[] {
  if (operator === 'del.') return ['__delattr__'];
  if (operands === 1) return operator in UNARY ? [`__${UNARY[operator]}__`] : [];
  // The container comes first.
  if (operator === 'in') return ['__contains__'];
  if (operator === 'del') return ['__delitem__'];
  const compared = COMPARISONS[operator];
  if (compared) return compared[0];
  const plain = ARITHMETIC[operator];
  if (plain !== undefined) return [`__${plain}__`];
  const assigned = operator.endsWith('=') ? ARITHMETIC[operator.slice(0, -1)] : undefined;
  return assigned === undefined ? [] : [`__i${assigned}__`, `__${assigned}__`];
}

function reflected(operator: string): readonly string[] {
  const compared = COMPARISONS[operator];
  if (compared) return compared[1];
  const name = ARITHMETIC[operator] ?? ARITHMETIC[operator.replace(/=$/, '')];
  return name === undefined ? [] : [`__r${name}__`];
}

/** `a + b`, `a * 2`, `a | b`, `a & b`, `a - b`, `a ^ b`, also with an assignment. */
function joins(operator: string): boolean {
  return /^[-+*|&^]=?$/.test(operator);
}

export const pythonOperators: OperatorRules = {
  names,
  reflected,
  joins,
  loops: (operator) => operator === 'in',
  shifts: (operator) => operator === 'del',
};
