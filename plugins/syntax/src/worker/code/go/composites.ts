import type { Argument, Entry, Expression } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { BLANK, type GoTypes } from './types.js';

/** Composite literals of Go: `T{…}`, `[]T{…}`, `map[K]V{…}`. */
export class GoComposites {
  readonly #lowering: Lowering;
  readonly #types: GoTypes;
  readonly #expression: (node: SyntaxNode) => Expression;

  constructor(lowering: Lowering, types: GoTypes, expression: (node: SyntaxNode) => Expression) {
    this.#lowering = lowering;
    this.#types = types;
    this.#expression = expression;
  }

  composite(node: SyntaxNode): Expression {
    const type = child(node, 'type');
    const body = child(node, 'body');
    if (!type || !body) return BLANK;
    const value = this.#literalOf(type, body);
    return type.type === 'struct_type' ? { kind: 'cast', value, type: this.#types.type(type) } : value;
  }

  /** A value in braces. An element of another literal may leave out its type. */
  #literalOf(type: SyntaxNode, body: SyntaxNode): Expression {
    switch (type.type) {
      case 'map_type':
        return {
          kind: 'cast',
          value: { kind: 'object', entries: this.#entries(body, child(type, 'value'), child(type, 'key')) },
          type: this.#types.type(type),
        };
      case 'slice_type':
      case 'array_type':
      case 'implicit_length_array_type': {
        const items = this.#entries(body, child(type, 'element'), undefined).map(({ value }) => value);
        return { kind: 'cast', value: { kind: 'list', items }, type: this.#types.type(type) };
      }
      case 'pointer_type': {
        const [inner] = named(type);
        return inner ? this.#literalOf(inner, body) : BLANK;
      }
      case 'struct_type': {
        const fields = this.#types.fields(type);
        const entries = this.#arguments(body).map(({ name, value }, index): Entry => {
          const text = name ?? fields[index]?.name ?? '';
          return { key: { kind: 'literal', type: 'string', text }, value };
        });
        return { kind: 'object', entries };
      }
      default: {
        // Only keys of structs are names for certain: the key of a named map may be a variable.
        if (named(body).every(isField)) return { ...this.construct(type), arguments: this.#arguments(body) };
        const entries = this.#entries(body, undefined, undefined);
        return { kind: 'cast', value: { kind: 'object', entries }, type: this.#types.type(type) };
      }
    }
  }

  /** A struct without fields: `new(T)`, or the start of `T{…}`. */
  construct(type: SyntaxNode): Expression & { kind: 'call' } {
    const types = this.#types.typeArguments(type, child(type, 'type_arguments'));
    return {
      kind: 'call',
      ...this.#lowering.at(type),
      callee: this.#expression(type),
      arguments: [],
      constructs: true,
      ...(types.length > 0 && { types }),
    };
  }

  #arguments(body: SyntaxNode): Argument[] {
    return named(body).flatMap((each): Argument[] => {
      if (each.type !== 'keyed_element') return [{ value: this.#element(each) }];
      const [key, value] = [child(each, 'key'), child(each, 'value')];
      return key && value ? [{ name: this.#lowering.textOf(key), value: this.#element(value) }] : [];
    });
  }

  #entries(body: SyntaxNode, element: SyntaxNode | undefined, key: SyntaxNode | undefined): Entry[] {
    return named(body).flatMap((each): Entry[] => {
      if (each.type !== 'keyed_element') return [{ value: this.#element(each, element) }];
      const [at, value] = [child(each, 'key'), child(each, 'value')];
      return at && value ? [{ key: this.#element(at, key), value: this.#element(value, element) }] : [];
    });
  }

  #element(node: SyntaxNode, type?: SyntaxNode): Expression {
    const inner = node.type === 'literal_element' ? named(node)[0] : node;
    if (!inner) return BLANK;
    if (inner.type !== 'literal_value') return this.#expression(inner);
    if (type) return this.#literalOf(type, inner);
    return { kind: 'operation', of: this.#arguments(inner).map(({ value }) => value) };
  }
}

/** An element without a key, or with a name as its key. */
function isField(element: SyntaxNode): boolean {
  const key = element.type === 'keyed_element' ? child(element, 'key') : undefined;
  return !key || named(key)[0]?.type === 'identifier';
}
