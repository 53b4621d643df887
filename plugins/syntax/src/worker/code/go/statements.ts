import type { Expression, Statement, Type } from '../../../code.js';
import { statements, type Lowering } from '../lowering.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { evaluate, held } from '../values.js';
import { GoDeclarations } from './declarations.js';
import { GoExpressions, tuple } from './expressions.js';
import { GoTypes } from './types.js';

/** Statements of Go. */
export class GoStatements {
  readonly types: GoTypes;
  readonly expressions: GoExpressions;
  readonly declarations: GoDeclarations;
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
    this.types = new GoTypes(lowering);
    this.expressions = new GoExpressions(lowering, this.types, (body) => this.list(body));
    this.declarations = new GoDeclarations(lowering, this.types, this.expressions);
  }

  /** The statements in a block or case. */
  list(node: SyntaxNode): Statement[] {
    const lists = node.children.filter(({ type }) => type === 'statement_list');
    return lists.flatMap((list) => statements(named(list), (each) => this.#statement(each)));
  }

  #statement(node: SyntaxNode): Statement[] {
    switch (node.type) {
      case 'short_var_declaration':
        return this.declarations.assign(...this.#sides(node));
      case 'assignment_statement':
        return this.#assignment(node);
      case 'var_declaration':
        return this.declarations.variables(node);
      case 'const_declaration':
        return this.declarations.constants(node);
      case 'type_declaration':
        return this.declarations.types(node);
      case 'return_statement':
        return this.#return(node);
      case 'if_statement':
        return [this.#if(node)];
      case 'for_statement':
        return [this.#for(node)];
      case 'expression_switch_statement':
      case 'select_statement':
        return [this.#switch(node)];
      case 'type_switch_statement':
        return [this.#typeSwitch(node)];
      case 'send_statement': {
        const [channel, value] = [child(node, 'channel'), child(node, 'value')];
        if (!channel || !value) return [];
        const target: Expression = { kind: 'index', object: this.expressions.expression(channel) };
        return [{ kind: 'assign', target, value: this.expressions.expression(value) }];
      }
      case 'block':
        return [{ kind: 'block', body: this.list(node) }];
      case 'labeled_statement':
        return statements(named(node).slice(1), (each) => this.#statement(each));
      case 'expression_statement':
      case 'go_statement':
      case 'defer_statement':
      case 'inc_statement':
      case 'dec_statement':
        return named(node).flatMap((each) => evaluate(this.expressions.expression(each)));
      default:
        return [];
    }
  }

  #sides(node: SyntaxNode): [SyntaxNode[], SyntaxNode[]] {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    return [left ? listed(left) : [], right ? listed(right) : []];
  }

  #assignment(node: SyntaxNode): Statement[] {
    const [left, right] = this.#sides(node);
    if (node.children.some(({ type }) => type === '=')) return this.declarations.reassign(left, right);
    return evaluate({
      kind: 'operation',
      of: [...left, ...right].map((each) => this.expressions.expression(each)),
    });
  }

  #return(node: SyntaxNode): Statement[] {
    const values = this.expressions.expressions(ofType(node, 'expression_list'));
    return values.length === 0 ? [] : [{ kind: 'return', value: tuple(values) }];
  }

  #if(node: SyntaxNode): Statement {
    const consequence = child(node, 'consequence');
    const alternative = child(node, 'alternative');
    return {
      kind: 'block',
      body: [
        ...this.#optional(child(node, 'initializer')),
        ...this.#condition(child(node, 'condition')),
        {
          kind: 'branch',
          arms: [consequence, alternative].flatMap((arm) => (arm ? [this.#statement(arm)] : [])),
          ...(alternative && { total: true }),
        },
      ],
    };
  }

  #for(node: SyntaxNode): Statement {
    const body = child(node, 'body');
    const own = body ? this.#statement(body) : [];
    const clause = named(node).find((each) => each !== body);
    if (clause?.type === 'for_clause') {
      const arm = [
        ...this.#condition(child(clause, 'condition')),
        ...own,
        ...this.#optional(child(clause, 'update')),
      ];
      return {
        kind: 'block',
        body: [...this.#optional(child(clause, 'initializer')), { kind: 'branch', arms: [arm], loop: true }],
      };
    }
    if (clause?.type === 'range_clause') {
      return {
        kind: 'block',
        body: [{ kind: 'branch', arms: [[...this.#range(clause), ...own]], loop: true }],
      };
    }
    return { kind: 'branch', arms: [[...this.#condition(clause), ...own]], loop: true };
  }

  #range(clause: SyntaxNode): Statement[] {
    const [left, [right]] = this.#sides(clause);
    if (!right) return [];
    const of = this.expressions.expression(right);
    if (left.length === 0) return evaluate(of);
    const declares = clause.children.some(({ type }) => type === ':=');
    return [
      {
        kind: 'each',
        target: tuple(left.map((each) => this.expressions.expression(each))),
        of,
        yields: left.length === 1 ? 'keys' : 'pairs',
        ...(declares && { declares }),
      },
    ];
  }

  /** `switch` and `select`. */
  #switch(node: SyntaxNode): Statement {
    const cases = named(node).filter(({ type }) => type.endsWith('_case'));
    const arms = cases.map((each): Statement[] => {
      const communication = child(each, 'communication');
      return [
        {
          kind: 'block',
          body: [
            ...this.expressions.expressions(child(each, 'value')).flatMap(evaluate),
            ...(communication ? this.#communication(communication) : []),
            ...this.list(each),
          ],
        },
      ];
    });
    return {
      kind: 'block',
      body: [
        ...this.#optional(child(node, 'initializer')),
        ...this.#condition(child(node, 'value')),
        { kind: 'branch', arms, ...(isTotal(node, cases) && { total: true }) },
      ],
    };
  }

  #communication(node: SyntaxNode): Statement[] {
    if (node.type !== 'receive_statement') return this.#statement(node);
    const [left, right] = this.#sides(node);
    if (left.length === 0) return right.flatMap((each) => evaluate(this.expressions.expression(each)));
    const declares = node.children.some(({ type }) => type === ':=');
    return declares ? this.declarations.assign(left, right) : this.declarations.reassign(left, right);
  }

  #typeSwitch(node: SyntaxNode): Statement {
    const [alias] = listed(child(node, 'alias'));
    const value = child(node, 'value');
    const before: Statement[] = [];
    const expression = value && held(this.expressions.expression(value), value, this.#lowering, before);
    const cases = named(node).filter(({ type }) => type.endsWith('_case'));
    const arms = cases.map((each): Statement[] => {
      const types = childrenIn(each, 'type')
        .filter((type) => this.#lowering.textOf(type) !== 'nil')
        .map((type) => this.types.type(type));
      const [only] = types;
      // With several types in its case the variable keeps the type of the value.
      const type: Type | undefined = types.length === 1 ? only : undefined;
      const tested: Statement[] = expression
        ? types.map((of) => ({ kind: 'evaluate', value: { kind: 'cast', value: expression, type: of } }))
        : [];
      const bound = alias && expression ? this.#bound(alias, expression, type) : tested;
      return [{ kind: 'block', body: [...bound, ...this.list(each)] }];
    });
    return {
      kind: 'block',
      body: [
        ...this.#optional(child(node, 'initializer')),
        ...before,
        ...(expression ? evaluate(expression) : []),
        { kind: 'branch', arms, ...(isTotal(node, cases) && { total: true }) },
      ],
    };
  }

  /** The variable of a type switch in one case. Without a type it has the value, even where that has its name. */
  #bound(alias: SyntaxNode, value: Expression, type: Type | undefined): Statement[] {
    const place = this.#lowering.at(alias);
    const name = this.#lowering.textOf(alias);
    if (type) return [{ kind: 'declare', name, ...place, type }];
    return [{ kind: 'assign', target: { kind: 'name', name, ...place }, value, declares: true }];
  }

  #optional(node: SyntaxNode | undefined): Statement[] {
    return node ? this.#statement(node) : [];
  }

  #condition(node: SyntaxNode | undefined): Statement[] {
    return node ? evaluate(this.expressions.expression(node)) : [];
  }
}

function listed(node: SyntaxNode | undefined): SyntaxNode[] {
  if (!node) return [];
  return node.type === 'expression_list' ? named(node) : [node];
}

/** `select` runs one of its cases; `switch` with `default` does, too. */
function isTotal(node: SyntaxNode, cases: readonly SyntaxNode[]): boolean {
  return node.type === 'select_statement' || cases.some(({ type }) => type === 'default_case');
}
