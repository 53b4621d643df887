import { groupBy } from '../group-by.js';
import type { ProjectFiles } from '../modules.js';
import { GoConstraint, ORDINARY_BUILD, type GoBuild } from './go-builds.js';
import { directoryOf } from './paths.js';

/**
 * Variants of packages: files of one package may declare the same names for different builds. A file sees those of a
 * build that has it: the ordinary one where that does, else the one nearest to it. Names of files that no build has
 * together with it come last.
 */
export class GoVariants {
  readonly #project: ProjectFiles;
  readonly #constraints = new Map<string, GoConstraint>();
  /** By scope of the ordinary build: the constraints of files that it lacks, by their scope. */
  readonly #others = new Map<string, ReadonlyMap<string, GoConstraint>>();

  constructor(project: ProjectFiles) {
    this.#project = project;
  }

  /** Files of the ordinary build are one scope for each package; others are together where they are in the same builds. */
  scopeOf(path: string): string {
    const constraint = this.#constraintOf(path);
    const scope = this.#packageScope(path);
    return constraint.isIn(ORDINARY_BUILD) ? scope : `${scope}:${constraint.key}`;
  }

  visibleScopes(path: string): readonly string[] {
    const scope = this.#packageScope(path);
    const others = this.#othersOf(path, scope);
    if (others.size === 0) return [];
    const build = this.#buildOf(path);
    const keys = [...others.keys()];
    const built = keys.filter((key) => build !== ORDINARY_BUILD && others.get(key)!.isIn(build));
    return [...built, scope, ...keys.filter((key) => !built.includes(key))];
  }

  /** The files that are built together with another, then the rest. */
  ordered(paths: readonly string[], from: string): readonly string[] {
    const built = paths.filter((path) => this.isBuiltWith(path, from));
    if (built.length === paths.length) return paths;
    return [...built, ...paths.filter((path) => !built.includes(path))];
  }

  isBuiltWith(path: string, from: string): boolean {
    return this.#constraintOf(path).isIn(this.#buildOf(from));
  }

  #buildOf(path: string): GoBuild {
    const constraint = this.#constraintOf(path);
    return constraint.isIn(ORDINARY_BUILD) ? ORDINARY_BUILD : constraint.build;
  }

  #constraintOf(path: string): GoConstraint {
    let constraint = this.#constraints.get(path);
    if (!constraint) {
      constraint = new GoConstraint(path, this.#project.constraintOf(path));
      this.#constraints.set(path, constraint);
    }
    return constraint;
  }

  #packageScope(path: string): string {
    return `${directoryOf(path)}:${this.#project.packageOf(path) ?? ''}`;
  }

  #othersOf(path: string, scope: string): ReadonlyMap<string, GoConstraint> {
    let others = this.#others.get(scope);
    if (!others) {
      const files = this.#project
        .inDirectory(directoryOf(path))
        .filter((each) => each.endsWith('.go') && this.#packageScope(each) === scope);
      const groups = groupBy(files, (each) => this.scopeOf(each));
      groups.delete(scope);
      others = new Map([...groups].map(([key, [first = '']]) => [key, this.#constraintOf(first)]));
      this.#others.set(scope, others);
    }
    return others;
  }
}
