import { readFile } from 'node:fs/promises';

/** The parts of every generated client, in the order in which they must stand. */
const PARTS = ['error', 'wire', 'toolset', 'base-client'] as const;
/** The sources are published beside what they compile to. */
const FOLDER = new URL('../../src/codegen/client/', import.meta.url);

/** The common source of generated clients, without its imports. */
export async function commonSource(): Promise<string> {
  return (await Promise.all(PARTS.map(sourceOf))).join('\n');
}

/** The checks that `text` uses, and those that these use, in the order of their file. */
export async function checksUsedBy(text: string): Promise<string> {
  // Each declaration begins with its comment.
  const declarations = (await sourceOf('checks')).split(/\n(?=\/\*\*)/).map((source) => {
    const name = /^(?:export )?(?:function|const) (\w+)/m.exec(source)?.[1] ?? '';
    return { name, source: source.replace(/^export /m, '') };
  });
  const used = new Set<string>();
  for (const waiting = [text]; waiting.length > 0;) {
    const words = usesIn(waiting.pop() ?? '');
    for (const { name, source } of declarations) {
      if (used.has(name) || !words.has(name)) continue;
      used.add(name);
      waiting.push(source);
    }
  }
  return declarations
    .filter(({ name }) => used.has(name))
    .map(({ source }) => source)
    .join('\n');
}

/** Names that code uses: outside comments and strings, and neither members nor keys. */
function usesIn(code: string): ReadonlySet<string> {
  const bare = code.replace(/\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
  return new Set(bare.match(/(?<![.\w$])[A-Za-z_]\w*(?!\s*:|\w)/g));
}

async function sourceOf(part: string): Promise<string> {
  const source = await readFile(new URL(`${part}.ts`, FOLDER), 'utf8');
  return source.replace(/^import [^;]*;\n+/gm, '');
}
