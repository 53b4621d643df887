import { globalsOf, type Globals } from './globals.js';
import type { Unit } from './program.js';

/** The part of a file that others are resolved with, without reading it. */
export interface FileLinks {
  /** Modules that it imports or loads, as written. */
  readonly modules: readonly string[];
  /** Functions of its classes: name, and qualified name of the symbol. */
  readonly members: ReadonlyArray<readonly [name: string, qualifiedName: string | null]>;
  /** Of a script. */
  readonly globals?: Globals;
}

/** Those of a compiled file. */
export function linksOf(unit: Unit): FileLinks {
  const { imports, instructions, offers } = unit;
  const modules = new Set(imports.map(({ statement }) => statement.module));
  for (const each of instructions) if (each.kind === 'module') modules.add(each.module);
  for (const { value } of offers) if (typeof value === 'string') modules.add(value);
  const globals = globalsOf(unit);
  return { modules: [...modules], members: membersOf(unit), ...(globals && { globals }) };
}

/** Known once the engine has linked the file, where members may be declared outside their types. */
export function membersOf({ functions, symbols }: Unit): FileLinks['members'] {
  return functions.flatMap(({ owner, name, symbol }) => {
    const qualifiedName = symbol === undefined ? undefined : symbols[symbol]?.qualifiedName;
    return owner && name !== undefined ? [[name, qualifiedName ?? null] as const] : [];
  });
}
