/** Systems of `GOOS`, the likeliest first. */
const SYSTEMS =
  'linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos android ios aix plan9 js wasip1 hurd nacl zos'.split(
    ' ',
  );
/** Architectures of `GOARCH`, the likeliest first. */
const ARCHITECTURES = (
  'amd64 arm64 arm 386 wasm ppc64 ppc64le mips mipsle mips64 mips64le riscv64 s390x loong64 riscv sparc sparc64 ppc ' +
  's390 armbe arm64be amd64p32 mips64p32 mips64p32le'
).split(' ');
const UNIX = new Set(
  'aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris'.split(' '),
);
/** Systems that have the files of another, too. */
const KINDRED: Readonly<Record<string, string>> = { android: 'linux', illumos: 'solaris', ios: 'darwin' };
/** Other tags of an ordinary build. */
const USUAL = new Set(['gc', 'cgo']);
/** Builds are searched among the settings of so many tags beside system and architecture. */
const MAX_FREE_TAGS = 6;

type Test = (has: (tag: string) => boolean) => boolean;

/** The tags of a build. */
export interface GoBuild {
  has(tag: string): boolean;
}

/** The files of a package that are built together, or not, by the tags that they ask for. */
export class GoConstraint {
  /** Equal for files that are in the same builds. */
  readonly key: string;
  readonly #test: Test;
  readonly #tags: ReadonlySet<string>;
  #build: GoBuild | undefined;

  /** `expression`: what the file says; its name may ask for a system and an architecture. */
  constructor(path: string, expression: string | undefined) {
    const parts = [...tagsOfName(path), ...(expression === undefined ? [] : [`(${expression})`])];
    this.key = parts.join(' && ');
    const tags = new Set<string>();
    this.#test = parts.length === 0 ? () => true : new Parser(this.key, tags).read();
    this.#tags = tags;
  }

  isIn(build: GoBuild): boolean {
    return this.#test((tag) => build.has(tag));
  }

  /** The build that differs least from the ordinary one and has the file; the ordinary one if none has it. */
  get build(): GoBuild {
    return (this.#build ??= buildsNear([...this.#tags]).find((each) => this.isIn(each)) ?? ORDINARY_BUILD);
  }
}

/** `a_windows.go`, `a_arm64.go`, `a_linux_arm64_test.go`. */
function tagsOfName(path: string): string[] {
  const parts = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.go$/, '')
    .replace(/_test$/, '')
    .split('_')
    .slice(1);
  const [system = '', architecture = ''] = parts.slice(-2);
  if (parts.length >= 2 && SYSTEMS.includes(system) && ARCHITECTURES.includes(architecture))
    return [system, architecture];
  const last = parts.at(-1) ?? '';
  return SYSTEMS.includes(last) || ARCHITECTURES.includes(last) ? [last] : [];
}

function build(system: string, architecture: string, changed: ReadonlySet<string>): GoBuild {
  const releases = [...changed].flatMap((tag) => releaseOf(tag) ?? []);
  const older = Math.min(...releases);
  return {
    has(tag) {
      if (SYSTEMS.includes(tag)) return tag === system || KINDRED[system] === tag;
      if (ARCHITECTURES.includes(tag)) return tag === architecture;
      if (tag === 'unix') return UNIX.has(system);
      const release = releaseOf(tag);
      if (release !== undefined) return release < older;
      return USUAL.has(tag) !== changed.has(tag);
    },
  };
}

/** The build for the likeliest system and architecture by the newest release, without tags of the project. */
export const ORDINARY_BUILD = build('linux', 'amd64', new Set());

/** `go1.18` is a tag of that release and all later ones. */
function releaseOf(tag: string): number | undefined {
  const found = /^go1\.(\d+)$/.exec(tag);
  return found ? Number(found[1]) : undefined;
}

/** Builds in which some of these tags differ, the ordinary one first. */
function buildsNear(tags: readonly string[]): GoBuild[] {
  const isPlatform = (tag: string): boolean =>
    tag === 'unix' || SYSTEMS.includes(tag) || ARCHITECTURES.includes(tag);
  const free = tags.filter((tag) => !isPlatform(tag)).slice(0, MAX_FREE_TAGS);
  const changes: string[][] = [[]];
  for (const tag of free) changes.push(...changes.map((each) => [...each, tag]));
  changes.sort((a, b) => a.length - b.length);
  const systems = tags.some(isPlatform) ? SYSTEMS : SYSTEMS.slice(0, 1);
  const [usual = '', ...others] = ARCHITECTURES;
  const architectures = [usual, ...(tags.some((tag) => ARCHITECTURES.includes(tag)) ? others : [])];
  return changes.flatMap((changed) =>
    architectures.flatMap((architecture) =>
      systems.map((system) => build(system, architecture, new Set(changed))),
    ),
  );
}

/** Reads `a && (b || !c)`. What cannot be read is true. */
class Parser {
  readonly #tokens: readonly string[];
  readonly #tags: Set<string>;
  #at = 0;

  constructor(expression: string, tags: Set<string>) {
    this.#tokens = expression.match(/&&|\|\||[!()]|[\w.]+/g) ?? [];
    this.#tags = tags;
  }

  read(): Test {
    const tests = [this.#all()];
    while (this.#take('||')) tests.push(this.#all());
    return tests.length === 1 ? tests[0]! : (has) => tests.some((test) => test(has));
  }

  #all(): Test {
    const tests = [this.#one()];
    while (this.#take('&&')) tests.push(this.#one());
    return tests.length === 1 ? tests[0]! : (has) => tests.every((test) => test(has));
  }

  #one(): Test {
    // A loop: a hostile file may have any number of them.
    let negated = false;
    while (this.#take('!')) negated = !negated;
    const test = this.#plain();
    return negated ? (has) => !test(has) : test;
  }

  #plain(): Test {
    if (this.#take('(')) {
      const test = this.read();
      this.#take(')');
      return test;
    }
    const tag = this.#tokens[this.#at];
    if (tag === undefined || !/^[\w.]+$/.test(tag)) return () => true;
    this.#at += 1;
    this.#tags.add(tag);
    return (has) => has(tag);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}
