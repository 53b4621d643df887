import type { Origin } from '../instructions.js';
import type { Func } from '../declarations.js';
import type { Node } from '../node.js';
import { functionAround } from '../program.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import type { FieldNodes } from './field-nodes.js';
import { indexMember } from './index-members.js';

interface MemberAssignment {
  readonly value: Value;
  readonly name: string;
  readonly from: Node;
  readonly origin: Origin | undefined;
}

/** Stores what a node holds in a member of a value. */
export function storeMember(engine: Engine, fields: FieldNodes, assignment: MemberAssignment): void {
  const { value, name, from, origin } = assignment;
  const { classes, containers, solver, builtins } = engine;
  if (value.kind === 'function') {
    if (engine.functionObjects.setPrototype(value, name, from)) return;
    solver.copy(from, fields.of(value, name));
  } else if (value.kind === 'module') {
    const target = engine.bindings.exported(value.units, name);
    if (target?.kind === 'variable') solver.copy(from, target.variable.node);
  } else if (value.kind === 'instance' || value.kind === 'class') {
    const container = value.kind === 'class' ? classes.canonical(value) : value.class;
    if (value.kind === 'instance' && value.site) {
      const setter = value.site.accessor(name, 'set');
      if (setter) {
        runSetter(engine, setter, assignment);
        return;
      }
      containers.store(value, name, from);
      engine.functionObjects.noteMethod(value, from);
      return;
    }
    const isInstance = value.kind === 'instance';
    const index = isInstance ? indexMember(engine, container) : null;
    if (builtins.isBuiltin(container)) {
      if (index) containers.store(value, name, from);
      return;
    }
    const found = classes.member(container, name, isInstance ? 'instance' : 'static') ?? index;
    const setter = found?.variable.declarations?.find(
      (each) => each.kind === 'function' && each.code.accessor === 'set',
    );
    const typed = found?.variable;
    if (typed?.type) engine.infer.match(typed.type, typed.scope, from, undefined);
    if (isInstance) engine.functionObjects.noteMethod(value, from);
    const { descriptors } = engine;
    const hides = typed && (typed.binds || descriptors.isAssigned(typed) || descriptors.mayHold(typed));
    if (setter?.kind === 'function') runSetter(engine, setter, assignment);
    else if (isInstance && typed && hides) {
      const stored = fields.storedIn(typed);
      if (origin && descriptors.mayHold(typed)) descriptors.store(typed, value, from, stored, origin);
      else solver.copy(from, stored);
    } else if (typed && descriptors.isAssigned(typed)) solver.copy(from, fields.patched(typed));
    else if (found) solver.copy(from, found.variable.node);
    else if (!isInstance && container.unit.rules.bindsFunctions)
      solver.copy(from, fields.heldBy(container, name));
    else solver.copy(from, fields.of(container, name));
  }
}

/** Passes what is written to a member to the function that takes it. */
function runSetter(engine: Engine, setter: Func, { value, from, origin }: MemberAssignment): void {
  engine.linking.receive(setter, value);
  if (origin) engine.references.noteStore(origin, { kind: 'accessor', function: setter, receiver: value });
  const [parameter] = setter.parameters;
  if (parameter) engine.solver.copy(from, parameter.node);
}

/** The member that is called where one is written, or one that the class lacks. That may store some itself. */
export function storingMember(
  engine: Engine,
  value: Value,
  name: string,
  { unit, scope }: Origin,
): string | undefined {
  const { storingMember: always, storingMissing } = unit.rules;
  if (always !== undefined || storingMissing === undefined || value.kind !== 'instance') return always;
  const isKnown = engine.classes.member(value.class, name, 'instance') !== null;
  return isKnown || functionAround(scope)?.name === storingMissing ? undefined : storingMissing;
}
