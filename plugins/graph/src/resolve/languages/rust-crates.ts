import type { ProjectFiles } from '../modules.js';
import { directoryOf } from './paths.js';

/** Sections of a manifest for programs, tests and examples, and where they are without one. */
const TARGETS = new Set(['bin', 'test', 'example', 'bench']);
const TARGET_DIRECTORIES = ['src/bin', 'tests', 'examples', 'benches'];

/** A library or program of a package, with the files that it is built from. */
export interface Crate {
  /** As paths name it: `-` is `_`. */
  readonly name: string;
  /** The file of its root module. */
  readonly root: string;
  /** The root, and that of the library or program beside it in one directory. */
  readonly roots: readonly string[];
  /** The root of the package's library. */
  readonly library: string | undefined;
  /** Files below are its own. */
  readonly directory: string;
  readonly edition: string;
  /** Packages by the names that the crate gives them. */
  readonly dependencies: ReadonlyMap<string, string>;
}

/** Values of a section of TOML by key; of tables in one line the text. */
type Section = ReadonlyMap<string, string>;

interface TomlSection {
  readonly name: string;
  readonly values: Section;
}

/** The crates of all packages; without `Cargo.toml`, of roots that are there. */
export function readCrates(project: ProjectFiles): Crate[] {
  const manifests = project.manifests.filter(({ path }) => /(?:^|\/)Cargo\.toml$/.test(path));
  const packages = manifests.map(({ path, text }) => ({
    base: path.slice(0, -'Cargo.toml'.length),
    sections: readToml(text),
  }));
  if (packages.length > 0) {
    return packages.flatMap(({ base, sections }) =>
      readPackage(base, sections, project, workspaceEdition(base, packages)),
    );
  }
  const libraries = [...project.endingWith('lib.rs'), ...project.endingWith('main.rs')];
  return libraries.flatMap((root) => {
    const directory = root.slice(0, Math.max(0, root.lastIndexOf('/')));
    const roots = [root];
    return [
      { name: '', root, roots, library: undefined, directory, edition: '2021', dependencies: new Map() },
    ];
  });
}

/** The edition that the nearest workspace around a directory gives its packages. */
function workspaceEdition(
  base: string,
  packages: ReadonlyArray<{ readonly base: string; readonly sections: readonly TomlSection[] }>,
): string {
  const editions = packages
    .filter((each) => base.startsWith(each.base))
    .toSorted((a, b) => b.base.length - a.base.length)
    .flatMap(({ sections }) => sections.find(({ name }) => name === 'workspace.package') ?? [])
    .flatMap(({ values }) => values.get('edition') ?? []);
  return editions[0] ?? '2021';
}

/** `base`: the directory of the package, with a slash at its end unless it is empty. `inherited`: the edition of its workspace. */
function readPackage(
  base: string,
  sections: readonly TomlSection[],
  project: ProjectFiles,
  inherited: string,
): Crate[] {
  const own = sections.find(({ name }) => name === 'package')?.values;
  if (!own) return [];
  const packageName = crateName(own.get('name') ?? '');
  const lib = sections.find(({ name }) => name === 'lib')?.values;
  const existing = (path: string | undefined): string | undefined =>
    path !== undefined && project.has(`${base}${path}`) ? `${base}${path}` : undefined;
  const library = existing(lib?.get('path') ?? 'src/lib.rs');
  const program = existing('src/main.rs');
  const common = {
    library,
    edition: inherits(own, 'edition') ? inherited : (own.get('edition') ?? '2015'),
    dependencies: dependenciesOf(sections, packageName),
  };
  const source = `${base}src`;
  const main = library ?? program;
  const shared = [library, program].filter((each) => each !== undefined);
  const crates: Crate[] = main
    ? [
        {
          ...common,
          name: crateName(lib?.get('name') ?? packageName),
          root: main,
          roots: shared,
          directory: directoryOf(main),
        },
      ]
    : [];
  const written = sections.flatMap(({ name, values }) =>
    TARGETS.has(name) ? (existing(values.get('path')) ?? []) : [],
  );
  const directories = TARGET_DIRECTORIES.map((directory) => `${base}${directory}`);
  const alone = directories.flatMap((directory) =>
    project.inDirectory(directory).filter((path) => path.endsWith('.rs')),
  );
  const inDirectories = project
    .endingWith('main.rs')
    .filter((path) => directories.includes(directoryOf(directoryOf(path))));
  const others = [
    ...written,
    ...alone,
    ...inDirectories,
    ...(existing('build.rs') ? [`${base}build.rs`] : []),
  ];
  for (const root of new Set(others)) {
    if (shared.includes(root)) continue;
    const directory = directoryOf(root) === source ? root : directoryOf(root);
    crates.push({ ...common, name: '', root, roots: [root], directory });
  }
  return crates;
}

/** `edition.workspace = true`, or `edition = { workspace = true }`. */
function inherits(own: Section, key: string): boolean {
  return (
    /^true\b/.test(own.get(`${key}.workspace`) ?? '') || /\bworkspace\s*=\s*true\b/.test(own.get(key) ?? '')
  );
}

/** The package itself is a dependency of its programs and tests. */
function dependenciesOf(sections: readonly TomlSection[], packageName: string): ReadonlyMap<string, string> {
  const found = new Map([[packageName, packageName]]);
  for (const { name, values } of sections) {
    const single = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/.exec(name)?.[1];
    if (single !== undefined) found.set(crateName(single), crateName(values.get('package') ?? single));
    if (!/(?:^|\.)(?:dev-|build-)?dependencies$/.test(name)) continue;
    for (const [key, value] of values) {
      const [local = ''] = key.split('.');
      const renamed = /\bpackage\s*=\s*"([^"]+)"/.exec(value)?.[1];
      found.set(crateName(local), crateName(renamed ?? local));
    }
  }
  return found;
}

/** The sections of a TOML file with the values that are strings or tables in one line. */
function readToml(text: string): Array<{ readonly name: string; readonly values: Map<string, string> }> {
  const sections = [{ name: '', values: new Map<string, string>() }];
  for (const line of text.split('\n')) {
    const header = /^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line)?.[1]?.trim();
    if (header !== undefined) sections.push({ name: header.replaceAll('"', ''), values: new Map() });
    const entry = /^\s*([\w.-]+)\s*=\s*(?:"([^"]*)"|(.*))/.exec(line);
    if (entry) sections.at(-1)?.values.set(entry[1] ?? '', entry[2] ?? entry[3] ?? '');
  }
  return sections;
}

function crateName(name: string): string {
  return name.replaceAll('-', '_');
}
