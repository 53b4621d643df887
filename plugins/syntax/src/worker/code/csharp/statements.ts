import type { Declare, Expression, Statement } from '../../../code.js';
import { withVariables } from '../pattern-variables.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { held, UNKNOWN } from '../values.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { withExpectedType } from './creations.js';
import { matchPattern } from './patterns.js';
import { optionalType } from './types.js';

/** A statement, without the variables that its expressions declare. Undefined for other nodes. */
export function statementOf(node: SyntaxNode, file: CSharpFile): readonly Statement[] | undefined {
  switch (node.type) {
    case 'expression_statement':
      return evaluate(parts(node), file);
    case 'local_declaration_statement': {
      const declaration = ofType(node, 'variable_declaration');
      return declaration ? variables(declaration, file) : [];
    }
    case 'block':
      return [{ kind: 'block', body: blockBody(node, file) }];
    case 'return_statement':
      return parts(node).map((each) => ({
        kind: 'return',
        value: withExpectedType(file.expression(each), each, file.results.at(-1), file),
      }));
    case 'arrow_expression_clause':
      return file.body(node);
    case 'yield_statement':
      return parts(node).map((each) => ({
        kind: 'evaluate',
        value: { kind: 'yield', value: file.expression(each) },
      }));
    case 'if_statement':
      return ifStatement(node, file);
    case 'while_statement':
    case 'do_statement':
      return [...evaluate(childrenIn(node, 'condition'), file), loop(inField(node, 'body', file))];
    case 'for_statement':
      return forStatement(node, file);
    case 'foreach_statement':
      return forEach(node, file);
    case 'switch_statement':
      return switchStatement(node, file);
    case 'try_statement':
      return tryStatement(node, file);
    case 'using_statement':
      return [{ kind: 'block', body: usingStatement(node, file) }];
    case 'lock_statement':
    case 'fixed_statement':
    case 'checked_statement':
    case 'unsafe_statement':
    case 'labeled_statement':
      return [
        {
          kind: 'block',
          body: node.type === 'labeled_statement' ? file.statements(parts(node).slice(1)) : mixed(node, file),
        },
      ];
    case 'throw_statement':
      return evaluate(parts(node), file);
    case 'global_statement':
      return file.statements(parts(node));
    default:
      return undefined;
  }
}

function evaluate(nodes: readonly SyntaxNode[], file: CSharpFile): Statement[] {
  return file
    .expressions(nodes)
    .map((value) => (value.kind === 'assign' ? value : { kind: 'evaluate', value }));
}

function inField(node: SyntaxNode, field: string, file: CSharpFile): readonly Statement[] {
  const found = child(node, field);
  return found ? file.statement(found) : [];
}

function loop(round: readonly Statement[]): Statement {
  return { kind: 'branch', arms: [round], loop: true };
}

/** Statements of a block. Resources of `using var` are closed at its end. */
export function blockBody(node: SyntaxNode, file: CSharpFile): Statement[] {
  const statements = named(node).filter((each) => each.type !== 'comment');
  const opened = statements.filter(
    (each) => each.type === 'local_declaration_statement' && ofType(each, 'using'),
  );
  const closed = opened.flatMap((each) => {
    const declaration = ofType(each, 'variable_declaration');
    return declaration ? namesOf(declaration).map((name) => dispose(file.expression(name), each, file)) : [];
  });
  return [...file.statements(statements), ...closed];
}

function namesOf(declaration: SyntaxNode): SyntaxNode[] {
  return named(declaration).flatMap((each) => {
    const name = each.type === 'variable_declarator' ? child(each, 'name') : undefined;
    return name?.type === 'identifier' ? [name] : [];
  });
}

function dispose(object: Expression, node: SyntaxNode, file: CSharpFile): Statement {
  const name = ofType(node, 'await') ? 'DisposeAsync' : 'Dispose';
  const at = file.lowering.at(node);
  const callee: Expression = { kind: 'member', object, name, ...at };
  return { kind: 'evaluate', value: { kind: 'call', callee, arguments: [], ...at } };
}

/** `A a = b, c`: of local variables, fields and events. */
export function variables(
  node: SyntaxNode,
  file: CSharpFile,
  properties: (name: SyntaxNode) => Partial<Declare> = () => ({}),
): Statement[] {
  const { lowering } = file;
  const typeNode = child(node, 'type');
  const { type } = optionalType(typeNode, lowering);
  return named(node).flatMap((declarator): Statement[] => {
    if (declarator.type !== 'variable_declarator') return [];
    const pattern = ofType(declarator, 'tuple_pattern');
    const name = child(declarator, 'name');
    const value = parts(declarator).findLast(
      (each) => each !== name && each !== pattern && each.type !== 'bracketed_argument_list',
    );
    const given = value && withExpectedType(file.expression(value), value, typeNode, file);
    if (pattern) {
      return given
        ? [{ kind: 'assign', target: tuplePattern(pattern, file), value: given, declares: true }]
        : [];
    }
    if (!name) return [];
    return [
      {
        kind: 'declare',
        name: nameText(name, lowering),
        ...(type && { type }),
        ...(given && { value: given }),
        ...properties(name),
        ...lowering.at(name),
      },
    ];
  });
}

function tuplePattern(node: SyntaxNode, file: CSharpFile): Expression {
  const items = named(node).map((each) =>
    each.type === 'tuple_pattern' ? tuplePattern(each, file) : file.expression(each),
  );
  return { kind: 'tuple', items };
}

function ifStatement(node: SyntaxNode, file: CSharpFile): Statement[] {
  const alternative = child(node, 'alternative');
  const taken = inField(node, 'consequence', file);
  const arms = alternative ? [taken, file.statement(alternative)] : [taken];
  return [
    ...evaluate(childrenIn(node, 'condition'), file),
    { kind: 'branch', arms, ...(alternative && { total: true }) },
  ];
}

function forStatement(node: SyntaxNode, file: CSharpFile): Statement[] {
  const start = childrenIn(node, 'initializer').flatMap((each) =>
    each.type === 'variable_declaration' ? variables(each, file) : evaluate([each], file),
  );
  const condition = evaluate(childrenIn(node, 'condition'), file);
  const round = [...inField(node, 'body', file), ...evaluate(childrenIn(node, 'update'), file)];
  return [{ kind: 'block', body: [...start, ...condition, loop(round)] }];
}

function forEach(node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const left = child(node, 'left');
  const collection = child(node, 'right');
  if (!left || !collection) return [...inField(node, 'body', file)];
  const { type } = optionalType(child(node, 'type'), lowering);
  const target = left.type === 'tuple_pattern' ? tuplePattern(left, file) : file.expression(left);
  const typed = type && target.kind === 'name';
  const round: Statement[] = [
    ...(typed ? [{ kind: 'declare' as const, name: target.name, type, ...lowering.at(left) }] : []),
    { kind: 'each', target, of: file.expression(collection), ...(!typed && { declares: true as const }) },
    ...inField(node, 'body', file),
  ];
  return [{ kind: 'block', body: [loop(round)] }];
}

function switchStatement(node: SyntaxNode, file: CSharpFile): Statement[] {
  const subject = child(node, 'value');
  const before: Statement[] = [];
  const value = held(subject ? file.expression(subject) : UNKNOWN, node, file.lowering, before);
  const body = child(node, 'body');
  const arms = (body ? named(body) : []).map((section): Statement[] => {
    const statements: SyntaxNode[] = [];
    const { lowered: conditions, declared } = withVariables(file, () =>
      parts(section).flatMap((each) => {
        if (each.type.endsWith('_pattern')) return matchPattern(each, value, file);
        if (each.type === 'when_clause') return file.expressions(parts(each));
        if (!/_statement$|^block$/.test(each.type)) return [file.expression(each)];
        statements.push(each);
        return [];
      }),
    );
    const evaluated = conditions.map((each) => ({ kind: 'evaluate' as const, value: each }));
    return [{ kind: 'block', body: [...declared, ...evaluated, ...file.statements(statements)] }];
  });
  return [...before, { kind: 'evaluate', value }, { kind: 'branch', arms }];
}

function tryStatement(node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const clauses = named(node).filter((each) => each.type === 'catch_clause');
  const handlers = clauses.map((clause): Statement[] => {
    const declaration = ofType(clause, 'catch_declaration');
    const name = declaration && child(declaration, 'name');
    const filter = ofType(clause, 'catch_filter_clause');
    const declared: Statement[] = name
      ? [
          {
            kind: 'declare',
            name: nameText(name, lowering),
            ...optionalType(child(declaration, 'type'), lowering),
            ...lowering.at(name),
          },
        ]
      : [];
    return [
      {
        kind: 'block',
        body: [
          ...declared,
          ...(filter ? evaluate(parts(filter), file) : []),
          ...inField(clause, 'body', file),
        ],
      },
    ];
  });
  const last = ofType(node, 'finally_clause');
  return [
    { kind: 'branch', arms: [inField(node, 'body', file), ...handlers] },
    ...(last ? file.statements(named(last)) : []),
  ];
}

function usingStatement(node: SyntaxNode, file: CSharpFile): Statement[] {
  const declaration = ofType(node, 'variable_declaration');
  const body = child(node, 'body');
  const inside = body ? file.statement(body) : [];
  if (declaration) {
    const closed = namesOf(declaration).map((name) => dispose(file.expression(name), node, file));
    return [...variables(declaration, file), ...inside, ...closed];
  }
  const [resource] = file.expressions(parts(node).filter((each) => each !== body));
  return [...inside, ...(resource ? [dispose(resource, node, file)] : [])];
}

/** Variables, values and blocks among the children. */
function mixed(node: SyntaxNode, file: CSharpFile): Statement[] {
  return parts(node).flatMap((each) =>
    each.type === 'variable_declaration' ? variables(each, file) : file.statement(each),
  );
}
