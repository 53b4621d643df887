import type { Declare, Statement } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, childrenIn, named, type SyntaxNode } from '../syntax-node.js';
import { evaluate } from '../values.js';
import { tuple, type GoExpressions } from './expressions.js';
import { baseName, type GoTypes } from './types.js';

/** Field of a defined type, `type A B`, that holds the type behind it. No program can name it. */
const UNDERLYING = '(type)';

/** Declarations of variables, constants and types, in a file or a function. */
export class GoDeclarations {
  readonly #lowering: Lowering;
  readonly #types: GoTypes;
  readonly #expressions: GoExpressions;

  constructor(lowering: Lowering, types: GoTypes, expressions: GoExpressions) {
    this.#lowering = lowering;
    this.#types = types;
    this.#expressions = expressions;
  }

  variables(node: SyntaxNode): Statement[] {
    const specs = named(node).flatMap((each) => (each.type === 'var_spec_list' ? named(each) : [each]));
    return specs.flatMap((spec) => this.#variables(spec, child(spec, 'type')));
  }

  /** A constant without type and value repeats those of the one before it. */
  constants(node: SyntaxNode): Statement[] {
    let type: SyntaxNode | undefined;
    return named(node).flatMap((spec) => {
      if (child(spec, 'value')) type = child(spec, 'type');
      return this.#variables(spec, type);
    });
  }

  types(node: SyntaxNode): Statement[] {
    return named(node).flatMap((spec) => this.#typeSpec(spec));
  }

  /** `a, b := f()`, and variables without a type. */
  assign(targets: readonly SyntaxNode[], values: readonly SyntaxNode[]): Statement[] {
    const [target] = targets;
    const [value] = values;
    if (target && value?.type === 'func_literal' && targets.length === 1) {
      return this.#variable(target, undefined, value);
    }
    return [
      {
        kind: 'assign',
        target: this.#pattern(targets),
        value: this.#values(targets.length, values),
        declares: true,
      },
    ];
  }

  /** The value for a number of targets. `v, ok := m[k]` has a second result that the expression does not show. */
  #values(targets: number, nodes: readonly SyntaxNode[]) {
    const values = nodes.map((each) => this.#expressions.expression(each));
    const [only] = values;
    const second = targets === 2 && only && values.length === 1 && only.kind !== 'call';
    return tuple(second ? [only, { kind: 'literal', type: 'boolean' }] : values);
  }

  /** Assignment to targets that exist. */
  reassign(targets: readonly SyntaxNode[], nodes: readonly SyntaxNode[]): Statement[] {
    const value = this.#values(targets.length, nodes);
    const target = this.#pattern(targets);
    return target.kind === 'literal' ? evaluate(value) : [{ kind: 'assign', target, value }];
  }

  #pattern(targets: readonly SyntaxNode[]) {
    return tuple(targets.map((each) => this.#expressions.expression(each)));
  }

  #variables(spec: SyntaxNode, type: SyntaxNode | undefined): Statement[] {
    const names = childrenIn(spec, 'name');
    const list = child(spec, 'value');
    const values = list ? named(list) : [];
    if (values.length > 0 && values.length < names.length) {
      const declared = names.flatMap((name) => this.#variable(name, type, undefined));
      return [
        ...declared,
        { kind: 'assign', target: this.#pattern(names), value: this.#values(names.length, values) },
      ];
    }
    return names.flatMap((name, index) => this.#variable(name, type, values[index]));
  }

  #variable(name: SyntaxNode, type: SyntaxNode | undefined, node: SyntaxNode | undefined): Statement[] {
    const text = this.#lowering.textOf(name);
    const { symbol } = this.#lowering.symbolAt(name);
    this.#lowering.define(symbol, { exported: isExported(text) });
    const value =
      node?.type === 'func_literal'
        ? { kind: 'function' as const, function: this.#expressions.function(node, name) }
        : node && this.#expressions.expression(node);
    // The blank name checks a value against a type: `var _ Shape = (*Circle)(nil)`.
    if (text === '_') {
      const cast = value && type ? { kind: 'cast' as const, value, type: this.#types.type(type) } : value;
      return cast ? evaluate(cast) : [];
    }
    const declared: Declare = {
      kind: 'declare',
      name: text,
      ...this.#lowering.at(name),
      ...(type && { type: this.#types.type(type) }),
      ...(value && { value }),
      ...(symbol !== undefined && { symbol }),
    };
    return [declared];
  }

  #typeSpec(spec: SyntaxNode): Statement[] {
    const name = child(spec, 'name');
    const type = child(spec, 'type');
    if (!name || !type) return [];
    const text = this.#lowering.textOf(name);
    const { symbol } = this.#lowering.symbolAt(name);
    this.#lowering.define(symbol, { exported: isExported(text) });
    const parameters = this.#types.typeParameters(child(spec, 'type_parameters'));
    const own = { name: text, ...this.#lowering.at(name), ...(symbol !== undefined && { symbol }) };
    const types = parameters.length > 0 ? { types: parameters } : {};
    if (spec.type === 'type_spec' && type.type === 'struct_type') {
      const members = this.#types.fields(type);
      const supertypes = members.flatMap(({ embedded, type: of }) =>
        embedded && of ? [{ relation: 'mixes' as const, type: of.kind === 'wrapper' ? of.of : of }] : [],
      );
      const mixed = supertypes.length > 0 ? { supertypes } : {};
      return [{ kind: 'class', class: { ...own, form: 'struct', ...types, ...mixed, members } }];
    }
    if (spec.type === 'type_spec' && type.type === 'interface_type') {
      const { methods, embedded } = this.#types.elements(type);
      for (const method of methods) {
        if (method.kind !== 'function') continue;
        const { symbol: member, name: called = '' } = method.function;
        this.#lowering.define(member, { exported: isExported(text) && isExported(called) });
      }
      const supertypes = embedded.map((each) => ({ relation: 'extends' as const, type: each }));
      const extended = supertypes.length > 0 ? { supertypes } : {};
      return [
        { kind: 'class', class: { ...own, form: 'interface', ...types, ...extended, members: methods } },
      ];
    }
    const of = this.#types.type(type);
    if (spec.type === 'type_alias') {
      return [{ kind: 'alias', ...own, ...(parameters.length > 0 && { parameters }), type: of }];
    }
    // A defined type has the fields and elements of the type behind it.
    const made: Declare = {
      kind: 'declare',
      name: UNDERLYING,
      ...this.#lowering.at(type),
      type: of,
      embedded: true,
    };
    return [{ kind: 'class', class: { ...own, form: 'struct', ...types, members: [made] } }];
  }
}

/** The type that a method belongs to: `Store` of `(s *Store[K, V])`. */
export function ownerName(lowering: Lowering, type: SyntaxNode): string {
  return lowering.textOf(baseName(type));
}

/** By the spelling of the name. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
