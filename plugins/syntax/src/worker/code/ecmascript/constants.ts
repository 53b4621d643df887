import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';

/** Strings that constants of the file's scope hold, and those of object literals in them: `RUN`, `KEYS.run`. */
export function constantsOf(root: SyntaxNode, lowering: Lowering): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  const add = (name: string, value: SyntaxNode | undefined): void => {
    if (value?.type === 'string') constants.set(name, lowering.textOf(value).slice(1, -1));
  };
  for (const statement of named(root)) {
    const declaration = statement.type === 'export_statement' ? child(statement, 'declaration') : statement;
    if (declaration?.type !== 'lexical_declaration' || !ofType(declaration, 'const')) continue;
    for (const each of named(declaration)) {
      const name = child(each, 'name');
      const value = child(each, 'value');
      if (name?.type !== 'identifier' || !value) continue;
      // `{ … } as const`
      const object = value.type === 'as_expression' ? named(value)[0] : value;
      add(lowering.textOf(name), object);
      for (const pair of object?.type === 'object' ? named(object) : []) {
        const key = pair.type === 'pair' ? child(pair, 'key') : undefined;
        if (key?.type === 'property_identifier')
          add(`${lowering.textOf(name)}.${lowering.textOf(key)}`, child(pair, 'value'));
      }
    }
  }
  return constants;
}
