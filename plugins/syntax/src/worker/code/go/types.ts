import type {
  Declare,
  Expression,
  FunctionCode,
  Parameter,
  Statement,
  Type,
  TypeParameter,
} from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, childrenIn, named, type SyntaxNode } from '../syntax-node.js';

/** The target of an unused value: `_`, a parameter without a name. */
export const BLANK: Expression = { kind: 'literal', type: 'null' };

/** Types and signatures of Go. */
export class GoTypes {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  type(node: SyntaxNode): Type {
    switch (node.type) {
      case 'type_identifier':
      case 'identifier':
      case 'qualified_type':
      case 'selector_expression':
        return this.#named(node);
      case 'generic_type': {
        const base = child(node, 'type');
        const parameters = child(node, 'type_arguments');
        if (!base || !parameters) return { kind: 'other' };
        const inner = this.type(base);
        if (inner.kind !== 'named') return inner;
        return { ...inner, arguments: named(parameters).map((each) => this.type(each)) };
      }
      case 'pointer_type':
        return { kind: 'wrapper', of: this.#first(node) };
      case 'parenthesized_type':
      case 'negated_type':
        return this.#first(node);
      case 'type_elem':
      case 'type_constraint':
        return this.#union(named(node));
      case 'slice_type':
      case 'array_type':
      case 'implicit_length_array_type':
        return { kind: 'list', of: this.#in(node, 'element') };
      case 'map_type':
        return { kind: 'map', key: this.#in(node, 'key'), of: this.#in(node, 'value') };
      // A receive reads an element as an index does, and `range` yields the elements: the keys of a map.
      case 'channel_type':
        return { kind: 'map', key: this.#in(node, 'value'), of: this.#in(node, 'value') };
      case 'function_type': {
        const parameters = this.parameters(child(node, 'parameters'));
        const returns = this.results(child(node, 'result')).type;
        return {
          kind: 'function',
          parameters: parameters.map(({ type }) => type ?? { kind: 'other' }),
          ...(returns && { returns }),
        };
      }
      case 'struct_type':
        return { kind: 'object', members: this.fields(node) };
      case 'interface_type':
        return this.#interface(node);
      default:
        return { kind: 'other' };
    }
  }

  /** The fields of a struct type. */
  fields(node: SyntaxNode): Declare[] {
    return named(node)
      .filter(({ type }) => type === 'field_declaration_list')
      .flatMap((list) => named(list))
      .flatMap((field): Declare[] => {
        const type = child(field, 'type');
        if (!type) return [];
        const names = childrenIn(field, 'name');
        if (names.length > 0) return names.map((name) => this.#declare(name, type));
        const pointer = field.children.some((each) => each.type === '*');
        const { name, type: embedded } = this.#declare(baseName(type), type);
        return [
          {
            kind: 'declare',
            name,
            ...this.#lowering.at(type),
            ...(embedded && { type: pointer ? { kind: 'wrapper', of: embedded } : embedded }),
            embedded: true,
          },
        ];
      });
  }

  /** Methods of an interface type, and the interfaces it embeds. */
  elements(node: SyntaxNode): { readonly methods: Statement[]; readonly embedded: Type[] } {
    const children = named(node);
    const methods = children
      .filter(({ type }) => type === 'method_elem')
      .flatMap((method): Statement[] => {
        const name = child(method, 'name');
        return name ? [{ kind: 'function', function: this.signature(method, name) }] : [];
      });
    const embedded = children
      .filter((each) => each.type === 'type_elem' && named(each).length === 1)
      .map((each) => this.type(each));
    return { methods, embedded };
  }

  /** A function without its body and receiver. */
  signature(node: SyntaxNode, name: SyntaxNode | undefined): FunctionCode {
    const returns = this.results(child(node, 'result')).type;
    const types = this.typeParameters(child(node, 'type_parameters'));
    return {
      ...this.#lowering.at(name ?? node),
      ...(name && { ...this.#lowering.symbolAt(name), name: this.#lowering.textOf(name) }),
      parameters: this.parameters(child(node, 'parameters')),
      ...(returns && { returns }),
      ...(types.length > 0 && { types }),
    };
  }

  parameters(list: SyntaxNode | undefined): Parameter[] {
    if (!list) return [];
    return named(list).flatMap((each): Parameter[] => {
      const node = child(each, 'type');
      if (!node) return [];
      const rest = each.type === 'variadic_parameter_declaration';
      const type = this.type(node);
      const typed = rest ? { type: { kind: 'list', of: type } as const, rest: 'list' as const } : { type };
      const names = childrenIn(each, 'name');
      return names.length === 0
        ? [{ target: BLANK, ...typed }]
        : names.map((name) => ({ target: this.target(name), ...typed }));
    });
  }

  /** The type of all results; the variables that name them. */
  results(node: SyntaxNode | undefined): { readonly type?: Type; readonly named: readonly Declare[] } {
    if (!node) return { named: [] };
    if (node.type !== 'parameter_list') return { type: this.type(node), named: [] };
    const names: Declare[] = [];
    const types = named(node).flatMap((each) => {
      const type = child(each, 'type');
      if (!type) return [];
      const declared = childrenIn(each, 'name').map((name) => this.#declare(name, type));
      names.push(...declared);
      return declared.length === 0 ? [this.type(type)] : declared.map(() => this.type(type));
    });
    const [only] = types;
    if (!only) return { named: names };
    return { type: types.length === 1 ? only : { kind: 'tuple', of: types }, named: names };
  }

  typeParameters(list: SyntaxNode | undefined): TypeParameter[] {
    if (!list) return [];
    return named(list).flatMap((each) => {
      const bound = child(each, 'type');
      const bounds = bound ? [this.type(bound)] : [];
      return childrenIn(each, 'name').map((name) => ({ name: this.#lowering.textOf(name), bounds }));
    });
  }

  /** The types in the brackets after a name: in `list`, or in the node itself. */
  typeArguments(node: SyntaxNode, list: SyntaxNode | undefined): Type[] {
    if (list) return named(list).map((each) => this.type(each));
    if (node.type !== 'type_instantiation_expression') return [];
    return named(node)
      .slice(1)
      .map((each) => this.type(each));
  }

  /** A name that is assigned or declared. */
  target(name: SyntaxNode): Expression {
    const text = this.#lowering.textOf(name);
    return text === '_' ? BLANK : { kind: 'name', name: text, ...this.#lowering.at(name) };
  }

  #declare(name: SyntaxNode, type: SyntaxNode): Declare {
    return {
      kind: 'declare',
      name: this.#lowering.textOf(name),
      ...this.#lowering.at(name),
      type: this.type(type),
    };
  }

  #interface(node: SyntaxNode): Type {
    const { methods, embedded } = this.elements(node);
    if (methods.length === 0 && embedded.length === 0) return { kind: 'other' };
    const own: Type = { kind: 'object', members: methods };
    return embedded.length === 0 ? own : { kind: 'intersection', of: [...embedded, own] };
  }

  #named(node: SyntaxNode): Type {
    return {
      kind: 'named',
      path: this.#lowering.textOf(node).split('.').map(trim),
      ...this.#lowering.at(node),
    };
  }

  #union(nodes: readonly SyntaxNode[]): Type {
    const [only] = nodes;
    if (!only) return { kind: 'other' };
    return nodes.length === 1 ? this.type(only) : { kind: 'union', of: nodes.map((each) => this.type(each)) };
  }

  #in(node: SyntaxNode, field: string): Type {
    const inner = child(node, field);
    return inner ? this.type(inner) : { kind: 'other' };
  }

  #first(node: SyntaxNode): Type {
    const [inner] = named(node);
    return inner ? this.type(inner) : { kind: 'other' };
  }
}

/** The name in a type: `Item` of `model.Item[int]`. */
export function baseName(type: SyntaxNode): SyntaxNode {
  const inner =
    type.type === 'generic_type'
      ? child(type, 'type')
      : type.type === 'qualified_type'
        ? child(type, 'name')
        : ['pointer_type', 'parenthesized_type'].includes(type.type)
          ? named(type)[0]
          : undefined;
  return inner ? baseName(inner) : type;
}

function trim(part: string): string {
  return part.trim();
}
