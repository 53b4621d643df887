import type { Class, ImportBinding } from '../declarations.js';
import type { LanguageRules } from '../language-rules.js';
import type { Scope, Unit } from '../program.js';

/** Modules in which the names of one file are looked for. Real files stay far below: 50 imports and 2,000 names. */
const MAX_TRIED = 2_000_000;
const TOO_COMPLEX =
  'The file is too complex: it imports all names of too many modules; further names are not looked for there.';

/** Imports of all names of a module, by the code that sees what they bring. */
export class Wildcards {
  readonly #ofFiles = new Map<Unit, ImportBinding[]>();
  readonly #ofNamespaces = new Map<Class, ImportBinding[]>();
  readonly #everywhere = new Map<LanguageRules, ImportBinding[]>();
  readonly #tried = new Map<Unit, number>();

  constructor(units: readonly Unit[]) {
    for (const unit of units) {
      for (const each of inOrder(unit)) {
        if (each.statement.form !== 'wildcard') continue;
        const container = namespaceOf(each.scope);
        if (container) add(this.#ofNamespaces, container, each);
        else add(this.#ofFiles, unit, each);
        if (each.statement.everywhere) add(this.#everywhere, unit.rules, each);
      }
    }
  }

  /** Counts a module in which a file looks for a name. False where it has looked in too many: its graph says so. */
  affords(unit: Unit): boolean {
    const tried = (this.#tried.get(unit) ?? 0) + 1;
    this.#tried.set(unit, tried);
    if (tried <= MAX_TRIED) return true;
    unit.note ??= TOO_COMPLEX;
    return false;
  }

  /** Those outside the namespaces of a file. */
  ofFile(unit: Unit): readonly ImportBinding[] {
    return this.#ofFiles.get(unit) ?? [];
  }

  ofNamespace(container: Class): readonly ImportBinding[] {
    return this.#ofNamespaces.get(container) ?? [];
  }

  /** All that code in a scope sees, the nearest first. */
  around(from: Scope): readonly ImportBinding[] {
    const { unit } = from;
    const inside = this.#namespacesAround(from).flatMap((each) => this.ofNamespace(each));
    return [...inside, ...this.ofFile(unit), ...(this.#everywhere.get(unit.rules) ?? [])];
  }

  /** The innermost part of a file around a scope that has imports of its own. */
  placeOf(from: Scope): Class | Unit {
    return this.#namespacesAround(from)[0] ?? from.unit;
  }

  #namespacesAround(from: Scope): Class[] {
    if (this.#ofNamespaces.size === 0) return [];
    const found: Class[] = [];
    for (let scope: Scope | null = from; scope; scope = scope.parent)
      if (scope.class && this.#ofNamespaces.has(scope.class)) found.push(scope.class);
    return found;
  }
}

/** The namespace around an import. One of C++ is open to other parts of itself, which see what it uses. */
function namespaceOf(from: Scope): Class | undefined {
  if (from.unit.rules.prototypes) return undefined;
  for (let scope: Scope | null = from; scope; scope = scope.parent)
    if (scope.class?.code.form === 'namespace') return scope.class;
  return undefined;
}

/** Imports, the one that decides a name first: where wildcards assign names, the last. */
function inOrder({ imports, rules }: Unit): readonly ImportBinding[] {
  return rules.wildcardTakes ? imports.toReversed() : imports;
}

function add<K>(map: Map<K, ImportBinding[]>, key: K, binding: ImportBinding): void {
  const known = map.get(key);
  if (known) known.push(binding);
  else map.set(key, [binding]);
}
