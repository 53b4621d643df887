import type { Located, Statement } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { namespaceCode } from '../namespaces.js';

/** What a macro stands for: namespaces that it opens, empty where their names are those around, or how many it closes. */
type Braces = readonly string[] | number;

interface Use {
  readonly place: Located;
  readonly braces: Braces;
}

interface Open {
  readonly name: string;
  readonly place: Located;
  readonly members: Statement[];
}

/** Longer definitions have other code, too. */
const MAX_DEFINITION = 200;
/** Only hostile texts open more at a time: their names are those of the namespaces around. */
const MAX_OPEN = 8;
const DEFINITION = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+((?:\\\r?\n|[^\n])*)/gm;
const OPENS = /^(?:(?:inline\s+)?namespace(?:\s+\w+(?:::\w+)*)?\s*\{\s*)+$/;
const CLOSES = /^(?:\}\s*)+$/;
const NAMESPACE = /(inline\s+)?namespace(?:\s+([\w:]+))?\s*\{/g;
/** A line with one name in capitals. */
const ALONE = /^([ \t]*)([A-Z_][A-Z0-9_]*)[ \t]*(?:\/\/.*|\/\*.*\*\/[ \t]*)?\r?$/gm;
/** Files that others include: what their macros stand for is that of the files which define them. */
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tcc|ixx)$/i;

/** The statements of a source file in the namespaces that macros of the file open and close between its declarations. */
export function inMacroNamespaces(
  lowering: Lowering,
  statements: readonly Statement[],
): readonly Statement[] {
  const uses = usesIn(lowering);
  if (uses.length === 0) return statements;
  const body: Statement[] = [];
  const open: Open[] = [];
  const add = (each: readonly Statement[]): void => {
    const members = open.at(-1)?.members ?? body;
    for (const statement of each) members.push(statement);
  };
  /** Those that are open beyond the limit. */
  let more = 0;
  const close = (): void => {
    if (more > 0) {
      more -= 1;
      return;
    }
    const last = open.pop();
    if (!last || last.members.length === 0) return;
    if (last.name === '') add(last.members);
    else add([{ kind: 'class', class: namespaceCode(last.name.split('::'), last.place, last.members) }]);
  };
  let next = 0;
  for (const statement of statements) {
    const start = startOf(statement);
    for (let use = uses[next]; use && use.place.start < start; use = uses[(next += 1)]) {
      const { place, braces } = use;
      if (typeof braces === 'number') for (let count = 0; count < braces; count += 1) close();
      else
        for (const name of braces) {
          if (open.length < MAX_OPEN) open.push({ name, place, members: [] });
          else more += 1;
        }
    }
    add([statement]);
  }
  more = 0;
  while (open.length > 0) close();
  return body;
}

/** The namespaces that macros of a file open, by the names that lead there from outside and from those around. */
export function openedIn({ source }: Lowering): { readonly opened?: ReadonlyArray<readonly string[]> } {
  if (!source.includes('namespace')) return {};
  const opened = [...definedIn(source).values()].flatMap((braces) => {
    const path =
      typeof braces === 'number' ? [] : braces.flatMap((each) => (each === '' ? [] : each.split('::')));
    return path.flatMap((_, end) => path.slice(0, end + 1).map((_each, from) => path.slice(from, end + 1)));
  });
  return opened.length > 0 ? { opened } : {};
}

/** A macro is blank in the text that was parsed. */
function usesIn(lowering: Lowering): Use[] {
  const { path, source, text } = lowering;
  if (source === text || HEADER.test(path)) return [];
  const known = definedIn(source);
  if (known.size === 0) return [];
  return Array.from(source.matchAll(ALONE)).flatMap(({ 1: indent = '', 2: name = '', index }) => {
    const braces = known.get(name);
    const start = index + indent.length;
    const isBlank = text.slice(start, start + name.length).trim() === '';
    return braces !== undefined && isBlank ? [{ place: lowering.at({ start }), braces }] : [];
  });
}

/** Of several definitions of a name the first. */
function definedIn(source: string): ReadonlyMap<string, Braces> {
  const known = new Map<string, Braces>();
  for (const { 1: name = '', 2: written = '' } of source.matchAll(DEFINITION)) {
    if (known.has(name) || written.length > MAX_DEFINITION) continue;
    const value = written.replaceAll(/\\\r?\n|\/\*.*?\*\/|\/\/.*/g, ' ').trim();
    if (CLOSES.test(value)) known.set(name, value.replaceAll(/\s/g, '').length);
    else if (OPENS.test(value))
      known.set(
        name,
        Array.from(value.matchAll(NAMESPACE), ([, inline, named = '']) => (inline ? '' : named)),
      );
  }
  return known;
}

function startOf(statement: Statement): number {
  if (statement.kind === 'function') return statement.function.start;
  if (statement.kind === 'class') return statement.class.start;
  return 'start' in statement ? statement.start : 0;
}
