/** What holds in a build for Linux on an ordinary machine, by option or by key and value. */
const HOLDS = new Set([
  'unix',
  'test',
  'debug_assertions',
  'target_os linux',
  'target_family unix',
  'target_arch x86_64',
  'target_pointer_width 64',
  'target_endian little',
  'target_env gnu',
  'target_vendor unknown',
  'panic unwind',
]);
/** Options that an ordinary build lacks. */
const LACKS = new Set(['windows', 'wasm', 'miri', 'fuzzing', 'loom', 'kani', 'doc', 'docsrs', 'doctest']);
/** The feature `std` is there by convention; which others are, the file does not tell. */
const STANDARD = 0.75;
const UNKNOWN = 0.5;
const MAX_DEPTH = 20;

/** How likely the code behind attributes is part of a build: 1 for certain, 0 for never. `#[cfg(…)]` tells. */
export function likelihoodOf(attributes: readonly string[]): number {
  const conditions = attributes.flatMap((each) => /^#\[\s*cfg\s*\((.*)\)\s*\]$/s.exec(each)?.[1] ?? []);
  return conditions.reduce((least, each) => Math.min(least, new Condition(each).read(0)), 1);
}

/** Reads `all(unix, not(feature = "x"))`. */
class Condition {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/\w+|"[^"]*"|[(),=]/g) ?? [];
  }

  read(depth: number): number {
    const name = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    if (this.#tokens[this.#at] === '=') {
      const value = (this.#tokens[this.#at + 1] ?? '').replaceAll('"', '');
      this.#at += 2;
      if (name === 'feature') return value === 'std' ? STANDARD : UNKNOWN;
      if (HOLDS.has(`${name} ${value}`)) return 1;
      return /^(?:target_(?!feature)|panic$)/.test(name) ? 0 : UNKNOWN;
    }
    if (this.#tokens[this.#at] !== '(') return HOLDS.has(name) ? 1 : LACKS.has(name) ? 0 : UNKNOWN;
    this.#at += 1;
    const parts: number[] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== ')') {
      if (depth === MAX_DEPTH) return UNKNOWN;
      parts.push(this.read(depth + 1));
      if (this.#tokens[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    if (name === 'not') return 1 - (parts[0] ?? UNKNOWN);
    if (name === 'all') return Math.min(1, ...parts);
    return name === 'any' ? Math.max(0, ...parts) : UNKNOWN;
  }
}
