import type { CodeFacts, SymbolView } from '@service-mcp/plugin-graph/contract';
import { analyse, type SearchResult } from '@service-mcp/plugin-search/contract';
import { isTest } from '../services/is-test.js';
import type { NameIndex } from './name-index.js';
import type { FileKind, FoundFile, FoundLines } from './evidence.js';

/** Of a result, when none of the words of the part are in it. */
const BY_MEANING = 0.2;
/** What further results of a file count beside its best one. */
const FURTHER = [1, 0.25, 0.1];
/** What the requirements name counts more than anything that a search finds. */
const NAMED = 1.5;
const LITERAL = 1;
/** What parts count beside the best of them, and the requirements as a whole. */
const OTHER_PARTS = 0.6;
const WHOLE = 0.8;
/** Words of a part that the best results must have between them, else nothing was found for it. */
const MIN_COVERAGE = 0.34;
const TOP = 5;
/** Files whose neighbours in the graph are looked up, and what a neighbour gets. */
const MAX_ROOTS = 15;
const LINK = 0.4;
/** A file with more users is used by everything. */
const MAX_USERS = 30;
const MAX_BY_NAME = 40;
const BY_NAME = 1;

/** Files that were not found by a search have no kind of the index. */
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$/iu;
/** Files that say which areas the requirements are about, and what the best area counts more than one without any. */
const AREA_FILES = 20;
const AREA = 0.5;

/** A text that was searched: a part, or the requirements as a whole. */
export interface FileQuery {
  readonly text: string;
  readonly part?: number;
  /** Of a part that is searched together with another one: its own text. */
  readonly own?: string;
}

interface Scored {
  readonly projectId: string;
  readonly path: string;
  readonly kind: FileKind;
  whole: number;
  linked: number;
  readonly parts: Map<number, number>;
  readonly lines: FoundLines[];
  readonly reasons: Set<string>;
}

/** Scores files by everything that was found, and lists the best. */
export class FileScores {
  readonly #files = new Map<string, Scored>();
  readonly #coverage: number[];

  constructor(parts: number) {
    this.#coverage = Array.from({ length: parts }, () => 0);
  }

  addResults(results: readonly SearchResult[], { text, part, own = text }: FileQuery): void {
    const terms = new Set(analyse(text));
    const best = results[0]?.score ?? 0;
    const byFile = new Map<Scored, number[]>();
    const ownTerms = new Set(analyse(own));
    const covered = new Set<string>();
    for (const [rank, result] of results.entries()) {
      const file = this.#file(result);
      if (!file) continue;
      const held = heldTerms(result, terms);
      if (rank < TOP) for (const term of held) if (ownTerms.has(term)) covered.add(term);
      const coverage = terms.size === 0 ? 0 : held.size / terms.size;
      const score = best > 0 ? (result.score / best) * (BY_MEANING + (1 - BY_MEANING) * coverage) : 0;
      byFile.set(file, [...(byFile.get(file) ?? []), score]);
      const { start_line: startLine, end_line: endLine, symbol = '' } = result;
      file.lines.push({ startLine, endLine, symbol, score });
    }
    for (const [file, scores] of byFile) {
      const sum = scores
        .sort((a, b) => b - a)
        .reduce((total, score, i) => total + score * (FURTHER[i] ?? 0), 0);
      if (part === undefined) file.whole = sum;
      else this.#addTo(file, part, sum);
    }
    if (part !== undefined)
      this.#coverage[part] = Math.max(this.#coverage[part]!, covered.size / Math.max(1, ownTerms.size));
  }

  /** Files and symbols that a part names. */
  addNamed(projectId: string, paths: readonly string[], symbols: readonly SymbolView[], part: number): void {
    this.#coverage[part] = 1;
    const share = NAMED / Math.sqrt(paths.length + symbols.length);
    for (const path of paths) {
      const file = this.#fileAt(projectId, path);
      this.#addTo(file, part, share);
      file.reasons.add('named in the requirements');
    }
    for (const { path, name, start_line, end_line, qualified_name } of symbols) {
      const file = this.#fileAt(projectId, path);
      this.#addTo(file, part, share);
      file.reasons.add(`declares ${name}`);
      file.lines.push({
        startLine: start_line,
        endLine: end_line,
        symbol: qualified_name,
        score: NAMED,
      });
    }
  }

  /** Files that hold what a part names as a text. */
  addLiterals(results: readonly SearchResult[], text: string, part: number): void {
    if (results.length > 0) this.#coverage[part] = 1;
    for (const result of results) {
      const file = this.#file(result);
      if (!file) continue;
      this.#addTo(file, part, LITERAL / Math.sqrt(results.length));
      file.reasons.add(`has "${text}"`);
    }
  }

  /** Raises files whose path and names have the words of the parts. */
  addNames(names: ReadonlyMap<string, NameIndex>, queries: readonly FileQuery[]): void {
    for (const [projectId, index] of names)
      for (const { text, part } of queries) {
        if (part === undefined) continue;
        for (const { path, share } of index.match(text, MAX_BY_NAME))
          this.#addTo(this.#fileAt(projectId, path), part, BY_NAME * share);
      }
  }

  /** Raises what the best files use, and what uses them. */
  addLinks(facts: ReadonlyMap<string, CodeFacts>): void {
    const roots = this.#sorted().filter(({ kind }) => kind === 'code');
    const scores = new Map(roots.slice(0, MAX_ROOTS).map((file) => [file, this.#scoreOf(file)]));
    for (const [root, score] of scores) {
      const links = facts.get(root.projectId)?.linksOf(root.path);
      if (!links) continue;
      for (const [reason, others] of [
        ['used by', links.uses],
        ['uses', links.usedBy],
      ] as const) {
        const code = [...others.keys()].filter((path) => !isTest(path));
        if (code.length > MAX_USERS) continue;
        for (const path of code) {
          const file = this.#fileAt(root.projectId, path);
          file.linked += (LINK * score) / Math.sqrt(code.length);
          file.reasons.add(`${reason} ${root.path}`);
        }
      }
    }
  }

  /** Ids of projects, the one of the best files first. */
  projects(): string[] {
    return [...new Set(this.#sorted().map(({ projectId }) => projectId))];
  }

  /** Parts for which nothing was found. */
  missing(): number[] {
    return [...this.#coverage.entries()].flatMap(([part, covered]) => (covered < MIN_COVERAGE ? [part] : []));
  }

  list(): FoundFile[] {
    const weightOf = this.#areaWeights();
    const weighted = this.#sorted()
      .map((file) => ({ file, score: this.#scoreOf(file) * weightOf(file) }))
      .sort((a, b) => b.score - a.score);
    return weighted.map(({ file, score }) => ({
      projectId: file.projectId,
      path: file.path,
      kind: file.kind,
      score,
      parts: file.parts,
      lines: file.lines.toSorted((a, b) => b.score - a.score || a.startLine - b.startLine),
      reasons: [...file.reasons],
    }));
  }

  /** A part alone is ambiguous: what it finds counts more where the other parts find something, too. */
  #areaWeights(): (file: Scored) => number {
    const masses = new Map<string, number>();
    const code = this.#sorted().filter(({ kind }) => kind !== 'doc');
    for (const file of code.slice(0, AREA_FILES))
      masses.set(areaOf(file), (masses.get(areaOf(file)) ?? 0) + this.#scoreOf(file));
    const most = Math.max(...masses.values(), 1e-9);
    return (file) => 1 + AREA * ((masses.get(areaOf(file)) ?? 0) / most);
  }

  #sorted(): Scored[] {
    return [...this.#files.values()].sort(
      (a, b) => this.#scoreOf(b) - this.#scoreOf(a) || (a.path < b.path ? -1 : 1),
    );
  }

  #scoreOf({ whole, linked, parts }: Scored): number {
    const [best = 0, ...others] = [...parts.values()].sort((a, b) => b - a);
    return WHOLE * whole + best + OTHER_PARTS * others.reduce((sum, one) => sum + one, 0) + linked;
  }

  #addTo(file: Scored, part: number, score: number): void {
    file.parts.set(part, (file.parts.get(part) ?? 0) + score);
  }

  #file({ project_id, path, kind }: SearchResult): Scored | undefined {
    return project_id === null ? undefined : this.#fileAt(project_id, path, kind === 'doc');
  }

  #fileAt(projectId: string, path: string, isDoc = false): Scored {
    const key = `${projectId} ${path}`;
    const known = this.#files.get(key);
    if (known) return known;
    const kind: FileKind = isTest(path) ? 'test' : isDoc || DOCUMENT.test(path) ? 'doc' : 'code';
    const file: Scored = {
      projectId,
      path,
      kind,
      whole: 0,
      linked: 0,
      parts: new Map(),
      lines: [],
      reasons: new Set(),
    };
    this.#files.set(key, file);
    return file;
  }
}

/** `plugins/search` of `plugins/search/src/index.ts`: its first two directories. */
function areaOf({ projectId, path }: Scored): string {
  return [projectId, ...path.split('/').slice(0, -1).slice(0, 2)].join('/');
}

/** The terms of a query that a result has in its text, its path or the name of its symbol. */
function heldTerms(
  { content, highlights, path, symbol = '' }: SearchResult,
  terms: ReadonlySet<string>,
): Set<string> {
  const spelled = highlights.map(({ start, end }) => content.slice(start, end));
  return new Set(analyse([...spelled, path, symbol].join(' ')).filter((term) => terms.has(term)));
}
