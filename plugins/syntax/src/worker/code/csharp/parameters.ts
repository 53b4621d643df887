import type { Parameter, Reference } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { nameText, type CSharpFile } from './context.js';
import { optionalType } from './types.js';

export interface Parameters {
  readonly parameters: readonly Parameter[];
  /** The first parameter of an extension method. */
  readonly receiver?: Parameter;
  readonly extension?: true;
}

export function parametersOf(list: SyntaxNode | undefined, file: CSharpFile): Parameters {
  if (!list) return { parameters: [] };
  if (list.type === 'implicit_parameter') return { parameters: [{ target: nameOf(list, file) }] };
  const all = named(list).flatMap((each) => (each.type === 'parameter' ? [parameterOf(each, file)] : []));
  const rest = child(list, 'name');
  if (rest) {
    const { type } = optionalType(child(list, 'type'), file.lowering);
    const element = type?.kind === 'list' ? type.of : type;
    all.push({ target: nameOf(rest, file), ...(element && { type: element }), rest: 'list' });
  }
  const [receiver, ...others] = all;
  const extends_ = receiver && named(list)[0]?.children.some((each) => file.lowering.textOf(each) === 'this');
  return extends_ ? { receiver, parameters: others, extension: true } : { parameters: all };
}

function nameOf(node: SyntaxNode, file: CSharpFile): Parameter['target'] {
  return { kind: 'name', name: nameText(node, file.lowering), ...file.lowering.at(node) };
}

function parameterOf(node: SyntaxNode, file: CSharpFile): Parameter {
  const name = child(node, 'name') ?? node;
  const typeNode = child(node, 'type');
  const value = named(node).find((each) => each.start > name.start && each !== name);
  const rest = ofType(node, 'modifier') && /^params\b/.test(file.lowering.textOf(node));
  const { type } = optionalType(typeNode, file.lowering);
  return {
    target: nameOf(name, file),
    ...(type && { type: rest && type.kind === 'list' ? type.of : type }),
    ...(value && { default: file.expression(value) }),
    ...(rest && { rest: 'list' as const }),
    ...referenceOf(node, file),
  };
}

/** How a parameter or an argument passes a variable. */
export function referenceOf(node: SyntaxNode, file: CSharpFile): { readonly reference?: Reference } {
  const modifiers = node.children.filter(
    ({ type, children }) => type !== 'identifier' && children.length === 0,
  );
  const texts = new Set(modifiers.map((each) => file.lowering.textOf(each)));
  const reference = (['ref', 'out'] as const).find((each) => texts.has(each));
  return reference ? { reference } : {};
}
