import { invalidArgument } from '@service-mcp/core/errors';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { PatternInput } from '../../schemas.js';
import { isAnchored, OP, programOf, takesOnly, type Program } from '../trigrams/program.js';
import { requiredRun } from '../trigrams/required-run.js';
import { HIDDEN } from './reading.js';

export type PatternOptions = Pick<PatternInput, 'query' | 'case_sensitive' | 'multiline' | 'whole_word'>;

export interface CompiledPattern {
  readonly regex: RE2JS;
  readonly program: Program;
  readonly multiline: boolean;
  /** True where it has `\\A`, `\\z` or the like: then a line alone is not the text that these speak of. */
  readonly anchored: boolean;
  /** True where it asks for a character that matching leaves out otherwise: a carriage return or a byte order mark. */
  readonly namesHidden: boolean;
  /** Finds what every match has in one line, in linear time; undefined where there is nothing that tells lines apart. */
  readonly required: RegExp | undefined;
}

/** Our messages for the engine's errors: foreign text never reaches a caller. */
const REASONS: Readonly<Record<string, string>> = {
  'invalid character class range': 'is not a known class or a range in order',
  'invalid escape sequence': 'is not an escape of this syntax (back-references and \\Z are not supported)',
  'invalid named capture': 'is not a named group: write (?P<name>...)',
  'invalid or unsupported Perl syntax':
    'is not supported: look-around, atomic and conditional groups are not',
  'invalid nested repetition operator': 'repeats a repetition: put the inner one in parentheses',
  'invalid repeat count': 'is not a repeat count: use {n}, {n,} or {n,m} with n <= m <= 1000',
  'missing closing ]': 'opens a class without its ]',
  'missing closing )': 'opens a group without its )',
  'missing argument to repetition operator': 'has nothing before it to repeat: escape it to find it as it is',
  'trailing backslash at end of expression': 'ends with a lone backslash: write \\\\ to find one',
  'unexpected )': 'has a ) without its (: write \\) to find one',
  'duplicate capture group name': 'names a second group alike',
  'expression nests too deeply': 'nests too deeply',
  'expression too large': 'is too large once its repeats are written out',
};

/** Code points of ranges without case: the engine folds each of them by itself, this many in some 70 ms on this thread. */
const MAX_FOLDED = 2_000_000;
const LAST_FOLDED = 0x1e943;
const INLINE_FOLD = /\(\?[a-zA-Z-]*i/u;
/** The ends of ranges: other escapes are of small code points. */
const RANGE_END = /(?<=-)(?:\\x\{([0-9a-fA-F]+)\}|[\s\S])/gu;

const LOOK_AROUND = /\(\?<?[=!]/u;

/** Throws INVALID_ARGUMENT with the position of a malformed or unsupported (not linear-time) expression. */
export function compilePattern({
  query,
  case_sensitive,
  multiline,
  whole_word,
}: PatternOptions): CompiledPattern {
  if (!case_sensitive || INLINE_FOLD.test(query)) refuseWideRanges(query);
  const flags = `(?${case_sensitive ? '' : 'i'}m)`;
  try {
    RE2JS.compile(query);
    const body = whole_word ? `\\b(?:${query})\\b` : query;
    const regex = RE2JS.compile(flags + body);
    const program = programOf(regex);
    return {
      regex,
      program,
      multiline,
      anchored: isAnchored(program),
      namesHidden: program.inst.some((instruction) => takesOnly(instruction, HIDDEN)),
      required: requiredRun(program),
    };
  } catch (error) {
    throw malformed(query, error);
  }
}

/** Throws INVALID_ARGUMENT. Each range counts as if it began with the first character. */
function refuseWideRanges(query: string): void {
  let folded = 0;
  for (const [end, hex] of query.matchAll(RANGE_END)) {
    const last = hex === undefined ? (end.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
    folded += Math.min(last, LAST_FOLDED);
  }
  if (folded > MAX_FOLDED)
    throw invalidArgument(
      '/query',
      'the regular expression has too many wide ranges of characters for a search without case: write fewer of them, or ask with case_sensitive true',
    );
}

/** Whether a match can be empty: that of `^$`, `\\b` or `x*`. */
export function mayTakeNothing({ regex, program }: CompiledPattern): boolean {
  return regex.test('') || !program.inst.some(({ op }) => op >= OP.rune);
}

function malformed(query: string, error: unknown) {
  const around = unescapedIndexOf(query, LOOK_AROUND);
  if (around !== -1) {
    return at(
      around,
      query,
      'is look-around, which a linear-time engine has not: match more and read the context',
    );
  }
  if (!(error instanceof RE2JSSyntaxException)) throw error;
  const found = error as { error?: unknown; input?: unknown };
  const fragment = typeof found.input === 'string' ? found.input : '';
  const position = Math.max(0, fragment === '' ? query.length - 1 : query.indexOf(fragment));
  return at(position, query, REASONS[String(found.error)] ?? 'is not of RE2 syntax');
}

function at(position: number, query: string, reason: string) {
  const shown = query.slice(position, position + 20);
  return invalidArgument(
    '/query',
    `the regular expression at position ${String(position)}, "${shown}", ${reason} (RE2 syntax)`,
  );
}

function unescapedIndexOf(query: string, wanted: RegExp): number {
  const blanked = query.replaceAll(/\\[\s\S]/gu, (pair) => '_'.repeat(pair.length));
  return blanked.search(wanted);
}
