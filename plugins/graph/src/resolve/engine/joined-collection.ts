import type { LiteralKind } from '../language-rules.js';
import type { Instance } from '../values.js';
import type { Engine } from './engine.js';

const KINDS = ['list', 'tuple', 'set', 'object'] as const;

/** The collection that an operator makes of others: `a + b`, `a | b`, `a * 2`. */
export class JoinedCollection {
  readonly #engine: Engine;
  readonly #made: Instance;
  readonly #repeats: boolean;

  private constructor(engine: Engine, made: Instance, repeats: boolean) {
    this.#engine = engine;
    this.#made = made;
    this.#repeats = repeats;
  }

  /** Absent for a value that is not a collection, and for one without literals. */
  static of(engine: Engine, { class: container }: Instance, operator: string): JoinedCollection | undefined {
    const { rules } = container.unit;
    const kind = KINDS.find((each) => nameOf(rules.literals, each) === container.name);
    const made = kind && engine.containers.make(kind, rules, [], true, { grows: true });
    return made && new JoinedCollection(engine, made, operator.startsWith('*'));
  }

  get value(): Instance {
    return this.#made;
  }

  /** Adds the elements of an operand. Those of the first list keep their places. */
  add(value: Instance, index: number): void {
    const { site } = this.#made;
    if (!site || value === this.#made) return;
    const { containers, solver } = this.#engine;
    if (value.site && (!value.site.isSequence || (index === 0 && !this.#repeats))) site.include(value.site);
    else if (site.isSequence) containers.operate(value, '@each', site.unknown);
    else {
      const elements = value.arguments.at(-1);
      if (elements) solver.copy(elements, site.unknown);
    }
  }
}

function nameOf(literals: Partial<Record<LiteralKind, string>> | undefined, kind: LiteralKind): string {
  return literals?.[kind] ?? kind;
}
