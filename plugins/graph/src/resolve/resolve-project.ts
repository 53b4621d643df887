import { createHash } from 'node:crypto';
import type { FileGraph, Manifest, SourceFile } from '../model.js';
import { compileFile } from './compile/compile-file.js';
import { emitGraphs } from './emit/emit-graphs.js';
import type { FileFrame } from './emit/graph-builder.js';
import { UniqueNames } from './emit/unique-names.js';
import { createEngine } from './engine/create-engine.js';
import type { Engine } from './engine/engine.js';
import { Project } from './engine/project.js';
import { groupsOf } from './file-groups.js';
import { linksOf, membersOf, type FileLinks } from './file-links.js';
import { groupBy } from './group-by.js';
import type { LanguageRules } from './language-rules.js';
import { rulesOf } from './languages/index.js';
import { Layout, Paths } from './layout.js';
import type { Unit } from './program.js';
import { StepLimit } from './solver.js';
import { leaveOut } from './step-limits.js';

/** A file that is read when its turn comes. */
export interface ReadableFile extends Pick<SourceFile, 'path' | 'language'> {
  /** Of its structure as it is kept. */
  readonly bytes: number;
  /** Of its structure: equal ones have the same links. */
  readonly hash: string;
  /** Equal for files that read the same. */
  readonly version: string;
  readonly read: () => SourceFile;
}

/** Files whose graphs depend on each other. */
export interface Group {
  /** Equal for groups with equal paths, texts and targets of imports. */
  readonly key: string;
  readonly paths: readonly string[];
}

/** Follows a resolution group by group. */
export interface ResolveFollower {
  /**
   * True where the graphs of a group are known: they are not made. `idOf`: that of the member of a name, if the project
   * has only one.
   */
  skips(group: Group, idOf: (name: string) => string | undefined): boolean;
  /** The graphs of a group were given. `names`: what they depend on besides the group, the ids of members by their names. */
  resolved(group: Group, names: ReadonlyMap<string, string | undefined>): void;
}

export interface ResolveOptions {
  /** Links of structures by their hash: those that are missing are added. */
  readonly links?: Map<string, FileLinks>;
  readonly follower?: ResolveFollower;
}

/** Scripts of at most so many bytes of structures are read once, and are in memory together: compiled they take 40 MB. */
const KEPT_BYTES = 1024 * 1024;

interface Compiled {
  readonly unit: Unit;
  readonly frame: FileFrame;
}

/**
 * Finds what the names, calls and types of all files of a project refer to: one graph for each file, ordered by path.
 * A function of the set of files alone: their order does not matter.
 */
export function resolveProject(files: Iterable<SourceFile>, manifests: readonly Manifest[]): FileGraph[] {
  const readable = [...files].map((file, index) => {
    const { path, language } = file;
    return { path, language, bytes: 0, hash: String(index), version: String(index), read: () => file };
  });
  return [...resolveFiles(readable, manifests)].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * As {@link resolveProject}, group by group of files that affect each other, in no order of paths: what was resolved
 * before can be collected.
 */
export function* resolveFiles(
  files: readonly ReadableFile[],
  manifests: readonly Manifest[],
  options: ResolveOptions = {},
): Generator<FileGraph> {
  const paths = new Paths(files.map(({ path }) => path));
  for (const [rules, own] of groupBy(files, ({ language }) => rulesOf(language)))
    yield* new LanguageResolver(rules, paths, manifests, options).resolve(own);
}

/** Resolves the files of one language. */
class LanguageResolver {
  readonly #rules: LanguageRules;
  readonly #paths: Paths;
  readonly #manifests: readonly Manifest[];
  readonly #links: Map<string, FileLinks>;
  readonly #follower: ResolveFollower | undefined;
  /** Files that were read for their links, where all have room. */
  readonly #compiled = new Map<string, Compiled>();
  readonly #uniqueNames: UniqueNames;

  constructor(
    rules: LanguageRules,
    paths: Paths,
    manifests: readonly Manifest[],
    { links = new Map<string, FileLinks>(), follower }: ResolveOptions,
  ) {
    this.#rules = rules;
    this.#paths = paths;
    this.#manifests = manifests;
    this.#links = links;
    this.#follower = follower;
    this.#uniqueNames = new UniqueNames(rules);
  }

  *resolve(files: readonly ReadableFile[]): Generator<FileGraph> {
    if (!this.#rules.linkedByImports) {
      const key = this.#keyOfAll(files);
      yield* this.#resolveGroup(key, files, (units) => new Layout(this.#paths, this.#manifests, units));
      return;
    }
    const keeps = files.reduce((sum, { bytes }) => sum + bytes, 0) <= KEPT_BYTES;
    const linked = files.map((file) => ({ ...file, links: this.#linksOf(file, keeps) }));
    for (const { path, links } of linked) this.#uniqueNames.note(path, links.members);
    const layout = new Layout(this.#paths, this.#manifests, []);
    for (const group of groupsOf(linked, layout.modules(this.#rules)))
      yield* this.#resolveGroup(group.key, group.files, () => layout);
  }

  #keyOfAll(files: readonly ReadableFile[]): string {
    const versions = files.map(({ path, version }) => [path, version]);
    const all = JSON.stringify([this.#paths.all, this.#manifests, versions]);
    return createHash('sha256').update(all).digest('base64');
  }

  #linksOf(file: ReadableFile, keeps: boolean): FileLinks {
    const known = this.#links.get(file.hash);
    if (known) return known;
    const compiled = compile(file);
    if (keeps) this.#compiled.set(file.path, compiled);
    const links = linksOf(compiled.unit);
    this.#links.set(file.hash, links);
    return links;
  }

  /** With an engine of its own: values of other files, of which an engine takes in only so many, could disturb it. */
  *#resolveGroup(
    key: string,
    files: readonly ReadableFile[],
    layoutOf: (units: readonly Unit[]) => Layout,
  ): Generator<FileGraph> {
    const names = this.#uniqueNames;
    const group = { key, paths: files.map(({ path }) => path) };
    if (this.#follower?.skips(group, (name) => names.get(name))) return;
    const { engine, compiled } = this.#run(files, layoutOf);
    const { units } = engine.project;
    // After linking: members may be declared outside their types.
    const isAll = !this.#rules.linkedByImports;
    if (isAll) for (const unit of units) names.note(unit.path, membersOf(unit));
    const frames = new Map(compiled.map(({ unit, frame }) => [unit, frame]));
    yield* emitGraphs(engine, frames, names);
    const asked = names.takeAsked();
    this.#follower?.resolved(group, isAll ? new Map() : asked);
  }

  /** Links all files but those whose code does not come to an end. */
  #run(
    files: readonly ReadableFile[],
    layoutOf: (units: readonly Unit[]) => Layout,
  ): { readonly engine: Engine; readonly compiled: readonly Compiled[] } {
    const leftOut = new Map<string, string>();
    for (;;) {
      const compiled = files.map((file) => this.#take(file, leftOut.get(file.path)));
      const units = compiled.map(({ unit }) => unit);
      try {
        return { engine: createEngine(new Project(units, layoutOf(units))), compiled };
      } catch (error) {
        if (!(error instanceof StepLimit)) throw error;
        leaveOut(
          units.filter(({ path }) => !leftOut.has(path)),
          leftOut,
        );
      }
    }
  }

  /** Compiled files are used up: each engine fills their nodes. */
  #take(file: ReadableFile, leftOut: string | undefined): Compiled {
    const kept = this.#compiled.get(file.path);
    this.#compiled.delete(file.path);
    return kept ?? compile(file, leftOut);
  }
}

/** `leftOut`: why the code of the file is left out. Its symbols remain. */
function compile(readable: ReadableFile, leftOut?: string): Compiled {
  const file = readable.read();
  const { path, language, symbols, complete, code } = file;
  const unit = compileFile(leftOut === undefined ? file : { path, language, symbols, complete });
  unit.note ??= leftOut;
  const definitions = code?.definitions ?? [];
  return { unit, frame: { path, language, symbols, complete, definitions } };
}
