import type { Statement } from '../../../code.js';
import type { SourceSymbol } from '../../../contract.js';
import type { Lower, Lowering } from '../lowering.js';
import type { Context } from './context.js';
import { expression } from './expressions.js';
import { body } from './statements.js';
import { annotation, typeVariables } from './types.js';

/** Python 3. Statements of Python 2 that the grammar reads are lowered too. */
export const lower: Lower = (root, lowering) => {
  const context: Context = {
    lowering,
    frame: { kind: 'module', outer: new Set(), generator: false, typeNames: new Set() },
    typeVariables: new Map(),
    expression,
    body,
    type: annotation,
    tested: [],
  };
  markExported(lowering);
  return { body: exportsLast(body(root, { ...context, typeVariables: typeVariables(root, context) })) };
};

/** `__all__` names what the module has in the end, also where it stands above the imports. */
function exportsLast(statements: readonly Statement[]): Statement[] {
  const isExport = ({ kind }: Statement): boolean => kind === 'export';
  return [...statements.filter((each) => !isExport(each)), ...statements.filter(isExport)];
}

/** Names with a leading underscore are private by convention; names inside a function are never visible. */
function markExported(lowering: Lowering): void {
  lowering.symbols.forEach((symbol, index) => {
    lowering.define(index, { exported: isVisible(symbol) && containerIsVisible(symbol, lowering) });
  });
}

function isVisible({ name }: SourceSymbol): boolean {
  return !/^_(?!_.*__$)/.test(name) && name !== '<lambda>';
}

function containerIsVisible({ parent }: SourceSymbol, { symbols, definitions }: Lowering): boolean {
  if (parent === null) return true;
  const kind = symbols[parent]?.kind;
  return definitions[parent]?.exported === true && kind !== 'function' && kind !== 'method';
}
