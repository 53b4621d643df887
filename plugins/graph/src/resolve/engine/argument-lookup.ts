import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { accepts } from './overloads.js';

/** Links a call of a bare name that its file does not declare to functions beside the classes of its arguments. */
export function callBesideArguments(engine: Engine, call: CallResult): void {
  const { site } = call;
  const { name, callee } = site;
  if (!site.unit.rules.argumentLookup || callee.kind !== 'binding' || name === undefined) return;
  const { solver, builtins, classes, calls, beside } = engine;
  for (const [index, { node }] of site.arguments.entries()) {
    if (!node) continue;
    solver.watch(node, (value) => {
      if (value.kind !== 'instance' || builtins.isBuiltin(value.class)) return;
      for (const { class: each } of classes.ancestors(value.class)) {
        const found = beside.functions(each, name, index);
        const taking = found.find((func) => accepts(func, site, false));
        if (!taking) continue;
        call.dropExternals();
        calls.call(call, taking, 'type');
        return;
      }
    });
  }
}
