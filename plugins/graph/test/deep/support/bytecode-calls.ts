import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import type { ClassFile, ClassMethod } from './class-files.js';

export interface CallGraph {
  /** `path#caller -> path#callee`. */
  readonly calls: ReadonlySet<string>;
  /**
   * Calls that count neither way: of the constructor of a superclass, which the text need not show, and of what
   * overrides a member of an external type.
   */
  readonly implied: ReadonlySet<string>;
}

/** The calls between symbols of a graph that the bytecode makes: static targets, as the compiler chose them. */
export function bytecodeCalls(classes: readonly ClassFile[], graphs: readonly FileGraph[]): CallGraph {
  const byName = new Map(classes.map((each) => [each.name, each]));
  const places = new Places(graphs);
  const calls = new Set<string>();
  const implied = new Set<string>();
  for (const container of classes) {
    const path = places.pathOf(container);
    if (path === undefined) continue;
    for (const method of container.methods) {
      if (method.synthetic && !method.name.startsWith('lambda$')) continue;
      for (const { line, owner, name, descriptor } of method.calls) {
        const found = declaration(owner, name, descriptor, byName);
        if (!found && !byName.has(owner)) {
          for (const each of overriders(owner, name, descriptor, classes, byName)) {
            const target = places.symbolOf(each.container, each.method);
            const source = places.innermost(path, line);
            if (target !== undefined && source !== undefined) implied.add(`${source} -> ${target}`);
          }
        }
        const target =
          found && (inherited(found, byName, places) ?? places.symbolOf(found.container, found.method));
        const source = places.innermost(path, line);
        if (target === undefined || source === undefined) continue;
        const edge = `${source} -> ${target}`;
        const isSuper = method.name === '<init>' && name === '<init>' && owner === container.supertypes[0];
        (isSuper ? implied : calls).add(edge);
      }
    }
  }
  return { calls, implied };
}

function declaration(
  owner: string,
  name: string,
  descriptor: string,
  byName: ReadonlyMap<string, ClassFile>,
): { readonly container: ClassFile; readonly method: ClassMethod } | undefined {
  const container = byName.get(owner);
  const method = container?.methods.find((each) => each.name === name && each.descriptor === descriptor);
  if (container && method) return { container, method };
  if (name === '<init>') return undefined;
  for (const each of container?.supertypes ?? []) {
    const found = declaration(each, name, descriptor, byName);
    if (found) return found;
  }
  return undefined;
}

/** The constructor of a class that declares none is the one that its supertype declares. */
function inherited(
  { container, method }: { readonly container: ClassFile; readonly method: ClassMethod },
  byName: ReadonlyMap<string, ClassFile>,
  places: Places,
): string | undefined {
  if (method.name !== '<init>' || places.declares(container, method)) return undefined;
  const parent = byName.get(container.supertypes[0] ?? '');
  const constructors = parent?.methods.filter((each) => each.name === '<init>') ?? [];
  const called = constructors.find((each) =>
    method.calls.some(
      (call) => call.name === '<init>' && call.owner === parent?.name && call.descriptor === each.descriptor,
    ),
  );
  if (!parent || !called) return undefined;
  if (!places.declares(parent, called))
    return inherited({ container: parent, method: called }, byName, places);
  return places.symbolOf(parent, called);
}

/** Members of the project that a call of a member of an external type may run. */
function overriders(
  owner: string,
  name: string,
  descriptor: string,
  classes: readonly ClassFile[],
  byName: ReadonlyMap<string, ClassFile>,
): { readonly container: ClassFile; readonly method: ClassMethod }[] {
  const parameters = descriptor.slice(0, descriptor.indexOf(')'));
  return classes.flatMap((container) => {
    const methods = container.methods.filter(
      (each) => each.name === name && each.descriptor.startsWith(parameters) && !each.synthetic,
    );
    return methods.length > 0 && isSubtype(container, owner, byName)
      ? methods.map((method) => ({ container, method }))
      : [];
  });
}

/** True for subtypes as far as the project tells: the supertypes of external types are not known. */
function isSubtype(
  { supertypes }: ClassFile,
  owner: string,
  byName: ReadonlyMap<string, ClassFile>,
): boolean {
  return supertypes.some((each) => {
    const found = byName.get(each);
    return each === owner || (found ? isSubtype(found, owner, byName) : each !== 'java/lang/Object');
  });
}

class Places {
  readonly #graphs: ReadonlyMap<string, FileGraph>;

  constructor(graphs: readonly FileGraph[]) {
    this.#graphs = new Map(graphs.map((each) => [each.path, each]));
  }

  pathOf({ name, source }: ClassFile): string | undefined {
    const path = `${name.includes('/') ? `${name.slice(0, name.lastIndexOf('/'))}/` : ''}${source}`;
    return this.#graphs.has(path) ? path : undefined;
  }

  innermost(path: string, line: number): string | undefined {
    const index = this.#innermost(path, line);
    return index === undefined ? undefined : this.#id(path, index);
  }

  #innermost(path: string, line: number): number | undefined {
    const symbols = this.#graphs.get(path)?.symbols ?? [];
    const index = symbols.findLastIndex(
      (each, i) => i > 0 && each.kind !== 'variable' && each.startLine <= line && line <= each.endLine,
    );
    return index < 0 ? undefined : index;
  }

  #id(path: string, symbol: number): string {
    return `${path}#${this.#graphs.get(path)?.symbols[symbol]?.qualifiedName ?? ''}`;
  }

  /** True where the text has a constructor of its own. */
  declares(container: ClassFile, method: ClassMethod): boolean {
    const id = this.symbolOf(container, method);
    const path = this.pathOf(container);
    const graph = path === undefined ? undefined : this.#graphs.get(path);
    return (
      graph?.symbols.some((each) => each.kind === 'method' && `${path}#${each.qualifiedName}` === id) === true
    );
  }

  /** The symbol that declares a method; of a constructor that nothing declares the class. */
  symbolOf(container: ClassFile, method: ClassMethod): string | undefined {
    const path = this.pathOf(container);
    if (path === undefined || (method.synthetic && method.name !== '<init>')) return undefined;
    const symbols = this.#graphs.get(path)?.symbols ?? [];
    const simple = container.name.slice(container.name.lastIndexOf('/') + 1);
    const className = simple.slice(simple.lastIndexOf('$') + 1).replace(/^\d+/, '');
    const isConstructor = method.name === '<init>';
    if (method.line !== undefined) {
      const index = this.#innermost(path, method.line);
      const symbol = index === undefined ? undefined : symbols[index];
      if (index === undefined || !symbol) return undefined;
      const isDeclared =
        symbol.kind === 'method' && symbol.name === (isConstructor ? className : method.name);
      const isClass = isConstructor && symbol.kind !== 'method' && symbol.name === className;
      return isDeclared || isClass ? this.#id(path, index) : undefined;
    }
    const parent = symbols.findIndex((each) => each.qualifiedName === simple.replaceAll('$', '.'));
    const same = container.methods.filter((each) => each.name === method.name && !each.synthetic);
    // Members of the body of an enum constant have the enum for their parent, and the constant in their names.
    const qualified = `${symbols[parent]?.qualifiedName}.${method.name}`;
    const declared = symbols.flatMap((each, i) =>
      each.kind === 'method' && each.qualifiedName.replace(/~\d+$/, '') === qualified ? [i] : [],
    );
    const index = declared[same.indexOf(method)];
    return index === undefined ? undefined : this.#id(path, index);
  }
}

/** The calls of a graph whose target the text alone decides: overriders and functions in variables are left out. */
export function staticCalls(graphs: readonly FileGraph[]): Set<string> {
  const found = graphs.flatMap(({ path, symbols, edges }) =>
    edges.flatMap(({ kind, reason, source, target }) =>
      kind === 'calls' && reason !== 'hierarchy' && reason !== 'flow'
        ? [`${path}#${symbols[source]?.qualifiedName ?? ''} -> ${target}`]
        : [],
    ),
  );
  return new Set(found);
}
