import type { Expression, Statement } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, type SyntaxNode } from '../syntax-node.js';

/** The target of an unused value; an unknown value. */
export const BLANK: Expression = { kind: 'literal', type: 'null' };

/** A Rust file that is being lowered. It carries the recursive functions, because modules must not import in cycles. */
export interface Context {
  readonly lowering: Lowering;
  readonly locals: Locals;
  /** Names of the inline modules around, from the outside in. */
  readonly modules: readonly string[];
  /** Names of the modules and types that the innermost module declares. */
  readonly declared: ReadonlySet<string>;
  /** Type behind `Self`: that of the `impl`, or the trait. */
  readonly self?: SyntaxNode;
  /** The attributes of the item. */
  readonly attributes?: readonly string[];
  /** Items that others of their name hide, see `unlikelyVariants`. */
  readonly variants?: ReadonlySet<SyntaxNode>;
  /** What `break` gives a value to: the loops around, by label; the innermost has none too. */
  readonly loops?: ReadonlyMap<string, Expression>;
  /** Names of the type parameters around. */
  readonly typeParameters: ReadonlySet<string>;
  readonly expression: (node: SyntaxNode, context: Context) => Expression;
  readonly block: (node: SyntaxNode, context: Context) => BlockBody;
  readonly item: (node: SyntaxNode, context: Context) => Statement[];
}

/** Statements and the value of the last expression. */
export interface BlockBody {
  readonly body: readonly Statement[];
  readonly value?: Expression;
}

/**
 * Local variables of a function. A `let` may declare a name again, and the values of a function, a module and a
 * variable may share a name: where this happens the variable gets a name of its own, `store~2`.
 */
export class Locals {
  readonly #scopes: Map<string, string>[] = [];
  readonly #items: ReadonlySet<string>;
  #count = 0;

  /** `items`: names that mean something else in the file. */
  constructor(items: ReadonlySet<string>) {
    this.#items = items;
  }

  find(name: string): string | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  bind(name: string): string {
    this.#count += 1;
    const own = this.#items.has(name) || this.find(name) !== undefined ? `${name}~${this.#count + 1}` : name;
    this.#scopes.at(-1)?.set(name, own);
    return own;
  }

  /** A name for a value that has none. */
  unnamed(): string {
    this.#count += 1;
    return `~${this.#count + 1}`;
  }

  within<T>(run: () => T): T {
    this.#scopes.push(new Map());
    try {
      return run();
    } finally {
      this.#scopes.pop();
    }
  }

  /** The locals of a function inside this one: it sees none of these. */
  nested(): Locals {
    return new Locals(this.#items);
  }
}

const ITEMS = new Set(['function_item', 'function_signature_item', 'const_item', 'static_item', 'mod_item']);

/** Names in a file that a variable may hide: items, imports, first names of paths and functions that are called. */
export function itemNames(root: SyntaxNode, lowering: Lowering): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (node: SyntaxNode | undefined): void => {
    if (node?.type === 'identifier') names.add(lowering.textOf(node));
  };
  const visit = (node: SyntaxNode, used: boolean): void => {
    if (used) add(node);
    else if (ITEMS.has(node.type)) add(child(node, 'name'));
    else if (node.type === 'scoped_identifier' || node.type === 'scoped_type_identifier')
      add(child(node, 'path'));
    else if (node.type === 'call_expression') add(child(node, 'function'));
    for (const each of node.children) visit(each, used || node.type === 'use_declaration');
  };
  visit(root, false);
  return names;
}

/** The named children and the blank patterns, without comments and attributes. */
export function items(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(
    ({ named, comment, type }) => type === '_' || (named && !comment && type !== 'attribute_item'),
  );
}
