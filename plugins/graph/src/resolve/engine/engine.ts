import type { Solver } from '../solver.js';
import type { Values } from '../values.js';
import type { ArgumentPassing } from './argument-passing.js';
import type { Bindings } from './bindings.js';
import type { Builtins } from './builtin-types.js';
import type { ClassTable } from './class-table.js';
import type { CallLinking } from './call-linking.js';
import type { Calls } from './calls.js';
import type { Construction } from './construction.js';
import type { Containers } from './containers.js';
import type { Environments } from './environments.js';
import type { Extensions } from './extensions.js';
import type { FunctionObjects } from './function-objects.js';
import type { Inference } from './infer.js';
import type { Members } from './members.js';
import type { OverloadChoice } from './overload-choice.js';
import type { Project } from './project.js';
import type { References } from './references.js';
import type { SignatureChoice } from './signature-choice.js';
import type { Substitution } from './substitution.js';
import type { TypeNames } from './type-names.js';
import type { Types } from './types.js';

/** The parts of the engine, for one another. */
export interface Engine {
  readonly project: Project;
  readonly builtins: Builtins;
  readonly solver: Solver;
  readonly values: Values;
  readonly bindings: Bindings;
  readonly substitution: Substitution;
  readonly classes: ClassTable;
  readonly environments: Environments;
  readonly typeNames: TypeNames;
  readonly types: Types;
  readonly containers: Containers;
  readonly infer: Inference;
  readonly members: Members;
  readonly functionObjects: FunctionObjects;
  readonly calls: Calls;
  readonly construction: Construction;
  readonly linking: CallLinking;
  readonly passing: ArgumentPassing;
  readonly overloads: OverloadChoice;
  readonly signatures: SignatureChoice;
  readonly extensions: Extensions;
  readonly references: References;
}
