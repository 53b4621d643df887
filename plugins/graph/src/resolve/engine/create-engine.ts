import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Class, Func } from '../declarations.js';
import type { Unit } from '../program.js';
import { Solver } from '../solver.js';
import { limitSteps } from '../step-limits.js';
import { Values } from '../values.js';
import { AnsweredMembers } from './answered-members.js';
import { ArgumentPassing } from './argument-passing.js';
import { BesideClasses } from './beside-classes.js';
import { Bindings } from './bindings.js';
import { Builtins } from './builtin-types.js';
import { CallLinking } from './call-linking.js';
import { Calls } from './calls.js';
import { ChoiceBudget } from './choice-budget.js';
import { ClassCreation } from './class-creation.js';
import { callHooks } from './class-hooks.js';
import { ClassTable } from './class-table.js';
import { Construction } from './construction.js';
import { Containers } from './containers.js';
import { Conversions } from './conversions.js';
import { Environments } from './environments.js';
import { DerivedMembers } from './derived-members.js';
import { Descriptors } from './descriptors.js';
import { Dispatch } from './dispatch.js';
import type { Engine } from './engine.js';
import { Extensions } from './extensions.js';
import { FunctionObjects } from './function-objects.js';
import { Inference } from './infer.js';
import { Installer } from './install.js';
import { KeyedCalls } from './keyed-calls.js';
import { Members } from './members.js';
import { mergeParts } from './merge-parts.js';
import { MixingClasses } from './mixing-classes.js';
import { Mixins } from './mixins.js';
import { NamedMembers } from './named-members.js';
import { Namespaces } from './namespaces.js';
import { OverloadChoice } from './overload-choice.js';
import type { Project } from './project.js';
import { joinPrototypes } from './prototypes.js';
import { References } from './references.js';
import { SignatureChoice } from './signature-choice.js';
import { Substitution } from './substitution.js';
import { passFixtures } from './test-fixtures.js';
import { TemplateArguments } from './template-arguments.js';
import { TraitCalls } from './trait-calls.js';
import { Traits } from './traits.js';
import { TypeNames } from './type-names.js';
import { Types } from './types.js';
import { Undecided } from './undecided.js';

/** Links all files of a project and runs until nothing changes. Throws a StepLimit where that does not end. */
export function createEngine(project: Project): Engine {
  const engine = new LinkedEngine(project);
  engine.link();
  return engine;
}

class LinkedEngine implements Engine {
  readonly builtins = new Builtins({
    compiled: (func) => this.#noteConstructor(func),
    install: (unit, code) => this.solver.before(() => this.#installer.part(unit, code)),
  });
  readonly solver = new Solver();
  readonly values = new Values();
  readonly references = new References();
  readonly undecided = new Undecided(this.solver);
  readonly substitution = new Substitution(this.solver, this.values);
  readonly classes = new ClassTable(this);
  readonly templates = new TemplateArguments(this);
  readonly environments = new Environments(this);
  readonly derived = new DerivedMembers(this);
  readonly typeNames = new TypeNames(this);
  readonly types = new Types(this);
  readonly containers = new Containers(this);
  readonly infer = new Inference(this);
  readonly members = new Members(this);
  readonly mixing = new MixingClasses(this);
  readonly answers = new AnsweredMembers(this);
  readonly functionObjects = new FunctionObjects(this);
  readonly dispatch = new Dispatch(this);
  readonly namedMembers = new NamedMembers(this);
  readonly namespaces = new Namespaces(this);
  readonly descriptors = new Descriptors(this);
  readonly calls = new Calls(this);
  readonly keyedCalls = new KeyedCalls(this);
  readonly creation = new ClassCreation(this);
  readonly construction = new Construction(this);
  readonly beside = new BesideClasses(this);
  readonly choices = new ChoiceBudget();
  readonly linking = new CallLinking(this);
  readonly passing = new ArgumentPassing(this);
  readonly overloads = new OverloadChoice(this);
  readonly signatures = new SignatureChoice(this);
  readonly extensions = new Extensions(this);
  readonly traits = new Traits(this);
  readonly traitCalls = new TraitCalls(this);
  readonly conversions = new Conversions(this);
  readonly #installer = new Installer(this);
  readonly project: Project;
  readonly bindings: Bindings;

  constructor(project: Project) {
    this.project = project;
    this.bindings = new Bindings(project, this.builtins, (target, name) =>
      this.typeNames.memberOf(target, name),
    );
  }

  link(): void {
    const { units } = this.project;
    limitSteps(this.solver, units);
    mergeParts(this, units);
    for (const unit of units) this.#attachClasses(unit);
    for (const unit of units) this.#attach(unit);
    const mixins = new Mixins(this);
    for (const unit of units) mixins.apply(unit);
    this.classes.forget();
    joinPrototypes(this, units);
    for (const unit of units) for (const func of unit.functions) this.#noteConstructor(func);
    for (const unit of units) this.extensions.note(unit);
    this.descriptors.note(units);
    this.creation.note(units);
    this.builtins.start();
    for (const unit of units) this.#installer.unit(unit);
    this.creation.install();
    callHooks(this, units);
    passFixtures(this, units);
    this.solver.run();
    this.#installer.settle();
    this.namedMembers.settle();
    this.traitCalls.settle();
    this.solver.run();
    while (this.overloads.settle() || this.signatures.settle()) this.solver.run();
  }

  /** The same for classes: `struct A::B { … }`. */
  #attachClasses(unit: Unit): void {
    for (const inner of unit.classes) {
      const { owner, name } = inner.code;
      const container = owner && this.typeNames.classNamed(owner, inner.scope.parent ?? inner.scope);
      if (!container || name === undefined) continue;
      inner.outer = container;
      const variable = container.scope.declare(name);
      variable.addDeclaration(inner);
      this.solver.add(variable.node, inner);
    }
  }

  /** Gives members that are declared outside their type to it. */
  #attach(unit: Unit): void {
    for (const func of unit.functions) {
      const { owner, name } = func.code;
      const container = owner && this.typeNames.classNamed(owner, func.scope);
      if (!container) continue;
      // Code without a name that a class lends its members to.
      if (name === undefined) func.owner = container;
      else this.classes.adopt(func, container, name);
    }
    for (const implementation of unit.implementations) {
      const { type, trait, body } = implementation;
      const container = this.typeNames.classNamed(type, body.scope);
      if (trait) {
        const whole = withAssociated(trait, body);
        body.supertypes.push({ relation: 'implements', type: whole, value: undefined, scope: body.scope });
      }
      const ofObjects = container && trait && this.typeNames.classNamed(trait, body.scope) === container;
      if (!container) this.traits.note(implementation);
      else if (ofObjects) this.traits.noteObjects(body, container);
      else this.classes.merge(body, container, this.typeNames.argumentsNamed(type, body.scope));
    }
  }

  #noteConstructor(func: Func): void {
    const { owner, name, unit } = func;
    const isNamed = name !== undefined && unit.rules.constructors?.includes(name) === true;
    if (owner && (func.code.constructor_ || isNamed))
      this.classes.addConstructor(func, this.classes.canonical(owner));
  }
}

/** A trait with the type that an implementation associates with it: `Iterator` with `type Item = T`. */
function withAssociated(trait: code.Type, body: Class): code.Type {
  if (trait.kind !== 'named' || trait.arguments) return trait;
  const { associatedTypes = {} } = body.unit.rules;
  const last = trait.path.at(-1) ?? '';
  const name = Object.hasOwn(associatedTypes, last) ? associatedTypes[last] : undefined;
  const alias = name === undefined ? undefined : body.scope.names.get(name)?.declarations?.[0];
  return alias?.kind === 'alias' ? { ...trait, arguments: [alias.type] } : trait;
}
