import { perGraph } from './per-graph.js';

/** Directories that divide a project into some dozens of parts of similar size. */
export interface Areas {
  /** Paths of directories, `.` for the root, in order. */
  readonly names: readonly string[];
  /** Index in `names`, per part of the graph. */
  readonly ofPart: Int32Array;
}

/** A directory with more files than this is divided into its directories and its own files. */
const MIN_FILES = 12;
const SHARE = 40;

interface Directory {
  readonly path: string;
  readonly files: number[];
  readonly directories: Map<string, Directory>;
  total: number;
}

export const areasOf = perGraph(({ parts }): Areas => {
  const root = directory('');
  for (const [index, { path }] of parts.entries()) place(root, path, index);
  const most = Math.max(MIN_FILES, Math.ceil(parts.length / SHARE));
  const areas: Array<{ readonly name: string; readonly files: number[] }> = [];
  divide(root);
  const ofPart = new Int32Array(parts.length);
  areas.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [index, { files }] of areas.entries()) for (const file of files) ofPart[file] = index;
  return { names: areas.map(({ name }) => name), ofPart };

  function divide({ path, files, directories, total }: Directory): void {
    const name = path === '' ? '.' : path;
    if (total <= most || directories.size === 0) {
      areas.push({ name, files: [...files, ...[...directories.values()].flatMap(allFiles)] });
      return;
    }
    if (files.length > 0) areas.push({ name, files });
    for (const inside of directories.values()) divide(inside);
  }
});

function directory(path: string): Directory {
  return { path, files: [], directories: new Map(), total: 0 };
}

function place(root: Directory, path: string, file: number): void {
  let at = root;
  at.total++;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const inside = path.slice(0, slash);
    let next = at.directories.get(inside);
    if (!next) at.directories.set(inside, (next = directory(inside)));
    at = next;
    at.total++;
  }
  at.files.push(file);
}

function allFiles({ files, directories }: Directory): number[] {
  return [...files, ...[...directories.values()].flatMap(allFiles)];
}
