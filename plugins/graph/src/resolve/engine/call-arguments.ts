import type { code } from '@service-mcp/plugin-syntax/contract';
import type { CallSite } from '../instructions.js';
import { Node } from '../node.js';
import type { Func } from '../declarations.js';
import type { Engine } from './engine.js';
import type { Environment } from './environment.js';
import { linkOperator } from './operators.js';
import { enter, iterate } from './protocol.js';

/** A builtin function calls the functions that it is given: `map(f, list)` calls `f` with the elements of the list. */
export function callArguments(
  engine: Engine,
  site: CallSite,
  func: Func,
  environment: Environment | undefined,
): void {
  const { calls, infer, substitution, types } = engine;
  for (const [index, { name, type, rest }] of func.parameters.entries()) {
    const node = argumentOf(site, index, name);
    if (!type) continue;
    if (rest === 'list' && type.kind === 'list') {
      for (const each of site.arguments.slice(index))
        if (each.node && !each.spread && each.name === undefined)
          openArgument(engine, site, each.node, type.of, func, environment);
    }
    if (!node) continue;
    openArgument(engine, site, node, type, func, environment);
    if (type.kind !== 'function') continue;
    const result = new Node();
    const valueOf = (parameter: code.Type) => substitution.of(types.node(parameter, func.scope), environment);
    calls.add({
      ...site,
      name: undefined,
      callee: { kind: 'value', node },
      arguments: type.parameters.map((each) => ({ name: undefined, node: valueOf(each), spread: undefined })),
      constructs: false,
      implicit: true,
      types: [],
      result,
    });
    if (type.returns) infer.match(type.returns, func.scope, result, environment);
  }
}

/** `sorted(list)` compares the elements, `sum(list)` adds them: to 0 where it is given nothing else. */
export function operateOnElements(
  engine: Engine,
  site: CallSite,
  { name = '', owner, code }: Func,
  environment: Environment | undefined,
): void {
  const { elementOperators = {}, operators, callsByType } = site.unit.rules;
  const called = owner ? `${owner.name ?? ''}.${name}` : name;
  const operator = Object.hasOwn(elementOperators, called) ? elementOperators[called] : undefined;
  const [elements] = environment?.parameters.values() ?? [];
  // A key is compared instead, or a function compares.
  const isReplaced = site.arguments.some(({ name: given }) => given === 'key' || given === '&');
  const isCompared = callsByType && site.arguments.length > (code.static ? 1 : 0);
  if (operator === undefined || !elements || isReplaced || isCompared) return;
  const {
    unit,
    scope,
    source,
    line,
    arguments: [, start],
  } = site;
  const apply = (operands: ReadonlyArray<Node | undefined>, result: Node): void => {
    linkOperator(engine, {
      kind: 'operator',
      unit,
      scope,
      source,
      line,
      operator,
      operands,
      type: undefined,
      result,
    });
  };
  if (!operators?.joins?.(operator)) {
    apply([elements, elements], new Node());
    return;
  }
  const total = new Node();
  engine.solver.copy(total, site.result);
  if (start?.node) engine.solver.copy(start.node, total);
  else apply([undefined, elements], total);
  apply([total, elements], total);
}

/** A builtin function loops over an object of the project, or enters it, as the language does: `list(rows)`. */
function openArgument(
  engine: Engine,
  site: CallSite,
  node: Node,
  type: code.Type,
  { scope }: Func,
  environment: Environment | undefined,
): void {
  const { builtins, infer, solver } = engine;
  const { opened } = site.unit.rules;
  if (!opened) return;
  // The first type that opens decides: what an exit stack enters is not looped over.
  for (const each of type.kind === 'union' ? type.of : [type]) {
    const name = each.kind === 'named' ? (each.path[0] ?? '') : '';
    const how = Object.hasOwn(opened, name) ? opened[name] : undefined;
    const element = each.kind === 'named' ? each.arguments?.[0] : undefined;
    if (!how || !element) continue;
    const open = how === 'enter' ? enter : iterate;
    solver.watch(node, (value) => {
      // A class has elements too: an enumeration, one whose metaclass gives them.
      if (value.kind !== 'class' && (value.kind !== 'instance' || builtins.isBuiltin(value.class))) return;
      const elements = new Node();
      open(engine, value, site, elements);
      infer.match(element, scope, elements, environment);
    });
    return;
  }
}

function argumentOf(site: CallSite, index: number, name: string | undefined): Node | undefined {
  const named = site.arguments.find((each) => each.name !== undefined && each.name === name);
  const before = site.arguments.slice(0, index + 1);
  if (named || before.some((each) => each.name !== undefined || each.spread)) return named?.node;
  return site.arguments[index]?.node;
}
