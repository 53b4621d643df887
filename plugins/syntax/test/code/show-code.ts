import type { code } from '@service-mcp/plugin-syntax/contract';
import { lowerText } from './lower-text.js';

/** Statements on one line each, close to the source: enough to check by eye what a text became. */
export async function showCode(path: string, text: string): Promise<string[]> {
  const { body } = await lowerText(path, text);
  return body.map(statement);
}

const all = (nodes: readonly code.Statement[]): string => `{ ${nodes.map(statement).join('; ')} }`;
const optional = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join(' ');

function statement(node: code.Statement): string {
  switch (node.kind) {
    case 'import':
      return optional(
        node.reexport ? 'reexport' : 'import',
        node.typeOnly && 'type',
        node.form,
        node.name,
        node.local && `as ${node.local}`,
        `from ${node.module}`,
      );
    case 'export':
      return `export ${node.name} = ${expression(node.value)}`;
    case 'declare':
      return optional(
        node.static && 'static',
        node.hoisted ? 'var' : 'let',
        node.symbol !== undefined && `#${node.symbol}`,
        node.name + (node.type ? `: ${type(node.type)}` : ''),
        node.narrows?.test &&
          `narrowed ${node.narrows.excludes ? 'without' : 'by'} ${node.narrows.test.join('.')} ${node.narrows.argument}`,
        node.value && `= ${expression(node.value)}`,
      );
    case 'assign':
      return optional(node.declares && 'let', `${expression(node.target)} = ${expression(node.value)}`);
    case 'each':
      return optional(
        'each',
        node.yields,
        node.declares && 'let',
        `${expression(node.target)} of ${expression(node.of)}`,
      );
    case 'evaluate':
      return expression(node.value);
    case 'return':
      return `return ${expression(node.value)}`;
    case 'function':
      return functionText(node.function);
    case 'class':
      return classText(node.class);
    case 'alias':
      return `type ${node.name}${parameters(node.parameters)} = ${type(node.type)}`;
    case 'block':
      return all(node.body);
    case 'leave':
      return node.by;
    case 'branch':
      return optional(node.loop && 'loop', node.total && 'total', `branch ${node.arms.map(all).join(' | ')}`);
    case 'implement':
    case 'outer':
      return node.kind;
  }
}

function expression(node: code.Expression): string {
  switch (node.kind) {
    case 'name':
      return node.name;
    case 'this':
    case 'super':
      return node.kind;
    case 'member':
      return `${expression(node.object)}.${node.name}`;
    case 'index':
      return `${expression(node.object)}[${node.key ? expression(node.key) : ''}]`;
    case 'slice':
      return `${expression(node.object)}[${[node.from, node.to].map((each) => (each ? expression(each) : '')).join(':')}]`;
    case 'call': {
      const given = node.arguments.map(({ value }) => expression(value)).join(', ');
      const types = node.types ? `<${node.types.map(type).join(', ')}>` : '';
      return `${node.constructs ? 'new ' : ''}${expression(node.callee)}${types}(${given})`;
    }
    case 'function':
      return functionText(node.function);
    case 'class':
      return classText(node.class);
    case 'literal':
      return node.text === undefined ? `<${node.type}>` : `'${node.text}'`;
    case 'list':
    case 'tuple':
    case 'set':
      return `[${node.items.map(expression).join(', ')}]`;
    case 'object': {
      const entries = node.entries.map(({ key, value }) =>
        key
          ? `${key.kind === 'literal' ? key.text : `[${expression(key)}]`}: ${expression(value)}`
          : expression(value),
      );
      return `{${entries.join(', ')}}`;
    }
    case 'address':
      return `&${expression(node.value)}`;
    case 'choice':
      return `(${node.of.map(expression).join(' | ')})`;
    case 'await':
    case 'enter':
    case 'unwrap':
      return `${node.kind} ${expression(node.value)}`;
    case 'yield':
      return `yield${node.from ? '*' : ''} ${expression(node.value)}`;
    case 'spread':
      return `...${node.of === 'dict' ? '*' : ''}${expression(node.value)}`;
    case 'cast':
      return `(${expression(node.value)} ${node.keeps ? 'satisfies' : 'as'} ${type(node.type)})`;
    case 'assign':
      return `(${expression(node.target)} = ${expression(node.value)})`;
    case 'import':
      return `${node.async ? 'import' : 'require'}(${node.module})`;
    case 'block':
      return `{ ${[...node.body.map(statement), ...(node.value ? [`give ${expression(node.value)}`] : [])].join('; ')} }`;
    case 'operation':
      return `${node.type ?? 'op'}(${node.of.map(expression).join(', ')})`;
  }
}

function functionText(node: code.FunctionCode): string {
  const given = [...(node.receiver ? [node.receiver] : []), ...node.parameters].map((each) =>
    optional(
      each.field && 'field',
      `${each.rest ? '...' : ''}${expression(each.target)}${each.type ? `: ${type(each.type)}` : ''}`,
      each.default && `= ${expression(each.default)}`,
    ),
  );
  return optional(
    ...(node.decorators ?? []).map((each) => `@${expression(each)}`),
    node.static && 'static',
    node.async && 'async',
    node.accessor,
    node.arrow ? 'arrow' : `function${node.generator ? '*' : ''}`,
    node.symbol !== undefined && `#${node.symbol}`,
    `${node.constructor_ ? '!' : ''}${node.name ?? ''}${parameters(node.types)}(${given.join(', ')})${node.returns ? `: ${type(node.returns)}` : ''}`,
    node.body && all(node.body),
  );
}

function classText(node: code.ClassCode): string {
  return optional(
    ...(node.decorators ?? []).map((each) => `@${expression(each)}`),
    node.reopens && 'reopen',
    node.form,
    node.symbol !== undefined && `#${node.symbol}`,
    `${node.name ?? ''}${parameters(node.types)}`,
    ...(node.supertypes ?? []).map(
      ({ relation, type: of, value }) => `${relation} ${type(of)}${value ? ` = ${expression(value)}` : ''}`,
    ),
    all(node.members),
  );
}

function parameters(types: readonly code.TypeParameter[] | undefined): string {
  if (!types) return '';
  return `<${types.map(({ name, bounds }) => (bounds ? `${name}: ${bounds.map(type).join(' & ')}` : name)).join(', ')}>`;
}

function type(node: code.Type): string {
  switch (node.kind) {
    case 'named':
      return `${node.path.join('.')}${node.arguments ? `<${node.arguments.map(type).join(', ')}>` : ''}`;
    case 'union':
      return node.of.map(type).join(' | ');
    case 'intersection':
      return node.of.map(type).join(' & ');
    case 'tuple':
      return `[${node.of.map(type).join(', ')}]`;
    case 'list':
      return `${type(node.of)}[]`;
    case 'map':
      return `{[${type(node.key)}]: ${type(node.of)}}`;
    case 'wrapper':
      return `${type(node.of)}?`;
    case 'function':
      return `(${node.parameters.map(type).join(', ')}) => ${node.returns ? type(node.returns) : ''}`;
    case 'object':
      return all(node.members);
    case 'typeof':
      return `typeof ${expression(node.value)}`;
    case 'indexed':
      return `${type(node.of)}['${node.key}']`;
    case 'self':
      return 'this';
    case 'other':
      return node.guard
        ? `is ${type(node.guard.type)}`
        : node.of
          ? `?(${node.of.map(type).join(', ')})`
          : '?';
  }
}
