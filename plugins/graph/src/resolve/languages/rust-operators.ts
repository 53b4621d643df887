import type { OperatorRules } from '../operator-rules.js';

/** Methods of `std::ops`. */
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'bitand',
  '|': 'bitor',
  '^': 'bitxor',
  '<<': 'shl',
  '>>': 'shr',
};
const UNARY: Readonly<Record<string, string>> = { '-': 'neg', '!': 'not' };
/** Methods of `std::cmp`, with the one that they are derived from. */
const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '==': ['eq'],
  '!=': ['ne', 'eq'],
  '<': ['lt', 'partial_cmp'],
  '>': ['gt', 'partial_cmp'],
  '<=': ['le', 'partial_cmp'],
  '>=': ['ge', 'partial_cmp'],
};

function names(operator: string, operands: number): readonly string[] {
  if (operands === 1) return operator in UNARY ? [UNARY[operator] ?? ''] : [];
  const compared = COMPARISONS[operator];
  if (compared) return compared;
  const plain = ARITHMETIC[operator];
  if (plain !== undefined) return [plain];
  const assigned = operator.endsWith('=') ? ARITHMETIC[operator.slice(0, -1)] : undefined;
  return assigned === undefined ? [] : [`${assigned}_assign`];
}

export const rustOperators: OperatorRules = { names };
