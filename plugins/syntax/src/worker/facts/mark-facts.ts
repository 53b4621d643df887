import type { Node, Query } from 'web-tree-sitter';
import type { Binding, Inheritance, Reference } from '../../contract.js';
import type { FactRules } from '../../grammars/grammar.js';
import type { Range } from '../mark-declarations.js';
import { emptyMarks, rangeKey, type FactMarks } from './fact-marks.js';
import { fold, foldPath, importText, pathReader, qualified, unquoted } from './fact-text.js';

type Nodes = Readonly<Record<string, Node | undefined>>;
type Settings = Readonly<Record<string, string | null>>;
type Handler = (node: Node, nodes: Nodes, set: Settings) => void;

/** Matches between two checks of the time limit. */
const CHECK_EVERY = 1024;

/** Runs the facts query of a grammar (see FactRules). Partial when `expired` turns true meanwhile. */
export function markFacts(
  query: Query,
  rules: FactRules,
  root: Node,
  text: string,
  expired: () => boolean,
): FactMarks {
  const marks = emptyMarks();
  const handlers = handlersOf(marks, text, rules);
  for (const [index, match] of query.matches(root, { progressCallback: expired }).entries()) {
    if (index % CHECK_EVERY === 0 && expired()) break;
    const nodes: Record<string, Node> = {};
    let subject: string | undefined;
    for (const { name, node } of match.captures) {
      nodes[name] ??= node;
      if (name in handlers) subject ??= name;
    }
    if (subject === undefined) continue;
    handlers[subject]?.(nodes[subject] as Node, nodes, match.setProperties ?? {});
  }
  return marks;
}

/** Adds a match to the marks, by the subject of its pattern. */
function handlersOf(marks: FactMarks, text: string, rules: FactRules): Record<string, Handler> {
  const { taken } = marks;
  const pathAt = pathReader(text, rules.separator ?? '\\??\\.');
  const textOf = (node: Node | undefined): string | null => (node ? fold(text, rangeOf(node)) : null);
  const pathOf = (node: Node | undefined): string | null => (node ? foldPath(text, rangeOf(node)) : null);
  const typeOf = (node: Node | undefined): string | null => {
    const type = textOf(node);
    return type === 'var' || type === 'auto' ? null : type;
  };
  const take = (...named: (Node | undefined)[]): void => {
    for (const node of named) if (node) taken.add(node.startIndex);
  };

  const call = (constructs: boolean): Handler => {
    return (node, { name, receiver, arguments: list }) => {
      const range = rangeOf(node);
      const key = rangeKey(range);
      const earlier = marks.calls.get(key);
      take(name, receiver);
      if (earlier && (earlier.constructs || !constructs) && (earlier.name !== null || !name)) return;
      marks.calls.set(key, {
        ...pointOf(name ?? node),
        ...qualified(pathOf(name), pathOf(receiver)),
        constructs,
        arguments: list?.namedChildCount ?? null,
        range,
        receiverRange: receiver ? rangeOf(receiver) : null,
      });
    };
  };
  const inherits = (kind: Inheritance['kind']): Handler => {
    return (node, { subtype }) => {
      take(node, subtype);
      marks.inheritance.push({ ...pointOf(node), kind, subtype: textOf(subtype), type: textOf(node) ?? '' });
    };
  };
  const binds = (kind: Binding['kind']): Handler => {
    return (node, { name, owner, type, value, 'value.call': called }) => {
      const at = name ?? type ?? value ?? called ?? node;
      const key = `${kind}${at.startIndex}`;
      const empty = { owner: null, type: null, value: null, valueRange: null };
      const mark = marks.bindings.get(key) ?? { ...pointOf(at), kind, name: textOf(name), ...empty };
      take(name, owner);
      mark.owner ??= textOf(owner);
      mark.type ??= typeOf(type);
      mark.value ??= pathOf(value);
      mark.valueRange ??= called ? rangeOf(called) : null;
      marks.bindings.set(key, mark);
    };
  };
  const refers = (role: Reference['role']): Handler => {
    return (node) => marks.references.push({ ...pointOf(node), ...pathAt(node.startIndex), role });
  };
  const opens = (isFunction: boolean): Handler => {
    return (node) => marks.scopes.push({ ...rangeOf(node), isFunction });
  };

  return {
    ref: refers('value'),
    'ref.type': refers('type'),
    decorator: refers('decorator'),
    ignore: (node) => marks.ignored.push(rangeOf(node)),
    call: call(false),
    new: call(true),
    parameter: binds('parameter'),
    receiver_parameter: binds('receiver'),
    variable: binds('variable'),
    field: binds('field'),
    return: binds('return'),
    scope: opens(false),
    'scope.function': opens(true),
    extends: inherits('extends'),
    implements: inherits('implements'),
    import: (node, { base, 'base.inner': inner, module, name, local, type_only }, set) => {
      marks.ignored.push(rangeOf(node));
      const modules = [base, inner, module].flatMap((part) => (part ? rangeOf(part) : []));
      const names = { modules, name: textOf(name), local: textOf(local), set };
      const at = pointOf(name ?? local ?? module ?? base ?? node);
      const fact = { ...at, ...importText(text, names), typeOnly: type_only !== undefined };
      marks.imports.push({ fact, moduleStart: (module ?? node).startIndex });
    },
    export: (node, { name, local }, set) => {
      const at = name ?? local ?? node;
      const own = unquoted(textOf(local ?? at) ?? '');
      take(at, local);
      marks.exports.push({ ...pointOf(at), name: set['name'] ?? unquoted(textOf(name) ?? own), local: own });
    },
    case: (node, { title }) => {
      const { end } = rangeOf(node);
      marks.testCases.push({ ...pointOf(node), title: unquoted(textOf(title) ?? ''), end });
    },
    exported: (node) => marks.exported.push(node.startIndex),
    test: (node) => marks.tests.push(node.startIndex),
  };
}

function rangeOf(node: Node): Range {
  return { start: node.startIndex, end: node.endIndex };
}

function pointOf(node: Node): { start: number; line: number; column: number } {
  const { row, column } = node.startPosition;
  return { start: node.startIndex, line: row + 1, column: column + 1 };
}
