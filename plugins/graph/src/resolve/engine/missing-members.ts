import { plainName } from '../compile/keys.js';
import type { Class } from '../declarations.js';
import { Node } from '../node.js';
import type { Instance, Value } from '../values.js';
import type { FoundMember } from './class-table.js';
import type { Engine } from './engine.js';
import type { FieldNodes } from './field-nodes.js';
import { indexMember } from './index-members.js';
import type { Access } from './member-access.js';
import type { Hit } from './hit.js';
import { libraryOf } from './library-namespace.js';
import { reopenedMember } from './reopened-builtins.js';
import { rootMembers } from './root-members.js';

/** `pair.0` of Rust, also as the name that a pattern takes. */
const POSITION = /^\d+$/;
/** `pair.Item1` of C#. */
const ITEM = /^Item([1-9])$/;

export interface MissingMember {
  readonly value: Instance | Class;
  readonly container: Class;
  readonly access: Access;
  /** What a variable of a class gives, with the parameters of the node replaced. */
  readonly read: (found: FoundMember, substitute: (node: Node) => Node) => readonly Hit[];
  readonly into: (hit: Hit, to: Node) => void;
}

/** A name that no class declares: what is assigned to it on objects, or a member of an external supertype. */
export function missingMember(engine: Engine, fields: FieldNodes, missing: MissingMember): readonly Hit[] {
  const { classes, values, builtins, environments, substitution } = engine;
  const { value, container, access, read } = missing;
  const name = plainName(access.name);
  const above = access.isSuper ? engine.mixing.membersAbove(container, access) : [];
  if (above.length > 0) return above;
  const index = value.kind === 'instance' ? indexMember(engine, container, name) : null;
  if (index && value.kind === 'instance') {
    const environment = environments.find(value, index.owner);
    return read(index, (node) => substitution.of(node, environment));
  }
  const side = value.kind === 'instance' ? 'instance' : 'static';
  const reopened = reopenedMember(engine, container, access.name, side, access.scope.unit);
  if (reopened) return read(reopened, (node) => node);
  const passed = engine.bindings.offeredBy(container, access.name);
  if (passed) return engine.members.ofTarget(passed);
  const library = libraryOf(container);
  if (library !== undefined) return [{ kind: 'value', value: values.external(library, name) }];
  if (builtins.isBuiltin(container)) {
    const position = positionOf(value, name);
    if (position !== undefined) return [positionalElement(engine, value, position)];
    return [{ kind: 'value', value: values.external('', `${container.name ?? ''}.${name}`) }];
  }
  const assigned = assignedMembers(engine, fields, missing);
  // A variable of an object is not a member of a supertype that the project does not have.
  if (name.startsWith('@')) return assigned;
  const external = classes.externalAncestor(container);
  if (external) return [...assigned, { kind: 'value', value: values.member(external, name) }];
  const builtin = classes.ancestors(container).find((each) => builtins.isBuiltin(each.class));
  if (builtin)
    return [
      ...assigned,
      { kind: 'value', value: values.external('', `${builtin.class.name ?? ''}.${name}`) },
    ];
  if (access.isSuper && name.startsWith('__')) {
    return [...assigned, ...rootMembers(engine, access, (root) => read(root, (node) => node))];
  }
  const instead = missingCall(engine, missing);
  if (instead) return [...assigned, instead];
  const fallback = container.unit.rules.missingMember;
  if (fallback === undefined || value.kind !== 'instance' || name === fallback) return assigned;
  const found = classes.member(container, fallback, 'instance');
  return found
    ? [...assigned, { kind: 'answer', found: read(found, (node) => node), name, value }]
    : assigned;
}

/** What runs in place of a method that a class lacks. */
function missingCall(engine: Engine, { value, container, access, read }: MissingMember): Hit | undefined {
  const { missingCall: rule } = container.unit.rules;
  const { name } = access;
  // A property has a sigil, unlike a method.
  if (!rule || access.reads || access.isSuper || name.startsWith('$') || rule.isOfAll?.(name))
    return undefined;
  const isObject = value.kind === 'instance';
  const fallback = isObject ? rule.object : rule.class;
  const found = engine.classes.member(container, fallback, isObject ? 'instance' : 'static');
  return found && name !== fallback
    ? { kind: 'answer', found: read(found, (node) => node), name, value, runs: true }
    : undefined;
}

function positionOf(value: Instance | Class, name: string): string | undefined {
  if (POSITION.test(name)) return name;
  const site = value.kind === 'instance' ? value.site : undefined;
  if (!site?.isSequence) return undefined;
  const [, item] = ITEM.exec(name) ?? [];
  const index = site.indexOf(name) ?? (item === undefined ? undefined : Number(item) - 1);
  return index === undefined ? undefined : String(index);
}

function positionalElement({ containers }: Engine, value: Value, position: string): Hit {
  const node = new Node();
  containers.load(value, position, node);
  return { kind: 'node', node, variable: undefined, inModule: false };
}

/** What is stored under the name in objects, and in classes themselves. */
function assignedMembers(
  { classes, solver, builtins, functionObjects, descriptors }: Engine,
  fields: FieldNodes,
  { value, container, access, into }: MissingMember,
): readonly Hit[] {
  const { name } = access;
  const node = new Node();
  const held = descriptors.assigns(name) ? new Node() : undefined;
  for (const { class: each } of classes.ancestors(container)) {
    if (builtins.isBuiltin(each)) continue;
    solver.copy(fields.of(each, name), node);
    if (held) solver.copy(fields.heldBy(each, name), held);
    const inherited = functionObjects.inherited(each, access, into);
    if (inherited) solver.copy(inherited, node);
  }
  const hit = { kind: 'node', variable: undefined, inModule: false } as const;
  const receiver = value.kind === 'instance' ? value : undefined;
  return [{ ...hit, node }, ...(held ? [{ ...hit, node: held, receiver }] : [])];
}
