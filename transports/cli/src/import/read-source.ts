import { createReadStream } from 'node:fs';
import { open, readFile, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRecord, readJsonText } from '@service-mcp/core/wire';
import { Failure, fileFailure, reasonOf } from '../failure.js';
import { countOfEnd, isExported, isMemory, withoutOthers } from './without-others.js';

export const FORMATS = ['native', 'mcp-memory', 'mem0', 'basic-memory'] as const;
export type Format = (typeof FORMATS)[number];

/** What an import reads: NDJSON of a format. */
export interface Source {
  readonly format: Format;
  readonly lines: AsyncIterable<Uint8Array>;
  /** What a line of the import is, for messages: `line 8`, or the path of a note. */
  readonly nameOf: (line: number) => string;
  /** How many records of each kind are left out: those of a whole export that are not memory, and notes without text; as they are read. */
  readonly others: ReadonlyMap<string, number>;
  /** It is the file of a whole export, which begins with records that are not memory. */
  readonly isWhole: boolean;
  /** False for the file of an export that ends before its last line, which counts its records. */
  readonly isComplete: boolean;
  /** Lines that are blank, because what they are of cannot be read; once its lines are read. */
  readonly unread: readonly { readonly line: number; readonly message: string }[];
  /** How many of the records that the last line counts are not in the file; once its lines are read. */
  readonly missing: () => number;
}

/** Enough of a file to tell its format: its first line has at most 1 MiB. */
const HEAD_BYTES = 1024 * 1024 + 1;
/** The first bytes of gzip, read as UTF-8. */
const GZIP = '\u001f\ufffd';
/** More than the last line of an export takes. */
const END_BYTES = 1024;
const MAX_JSON_BYTES = 256 * 1024 * 1024;
const MAX_NOTE_BYTES = 1024 * 1024;
const NOTE = /\.mdx?$/i;
/** The kind of notes without text, among the records that are left out. */
const EMPTY_NOTE = 'empty note';

/**
 * Opens a file or a folder of Markdown. `format`: as the person says; else it is told by the contents, and of one note, such
 * as CLAUDE.md, by its name.
 */
export async function readSource(path: string, format: Format | undefined): Promise<Source> {
  const unreadable = (thrown: unknown): never => {
    throw fileFailure(path, 'read', 'Give the path of a file, or of a folder of Markdown.', thrown);
  };
  const stats = await stat(path).catch(unreadable);
  if (stats.isDirectory()) {
    if (format !== undefined && format !== 'basic-memory')
      throw new Failure(`A folder is read as basic-memory, not ${format}.`, {
        next: 'Give the path of a file.',
      });
    return readNotes(path, await notesIn(path));
  }
  if (NOTE.test(path) && (format === undefined || format === 'basic-memory')) {
    if (stats.size === 0) throw new Failure(`${path} is empty.`, { next: 'Give the path of another file.' });
    return readNotes(dirname(path), [{ path: basename(path) }]);
  }
  const head = await readHead(path).catch(unreadable);
  const list = /^\s*\[/.test(head) || isOneValue(head) ? await readList(path, stats.size) : undefined;
  if (list)
    return {
      format: format ?? formatOf(list.items[0]),
      lines: asLines(list.items),
      nameOf: numbered('item'),
      others: list.others,
      isWhole: false,
      isComplete: true,
      unread: [],
      missing: none,
    };
  const first = head.split('\n').find((line) => line.trim() !== '') ?? '';
  if (first === '') throw new Failure(`${path} is empty.`, { next: 'Export again.' });
  if (head.startsWith(GZIP))
    throw new Failure(`${path} is compressed.`, { next: 'Unpack it first, with: gunzip --keep FILE' });
  const found = format ?? formatOf(readJsonText(first));
  const others = new Map<string, number>();
  const count = (kind: string) => others.set(kind, (others.get(kind) ?? 0) + 1);
  let records = 0;
  const bytes = createReadStream(path) as AsyncIterable<Buffer>; // no encoding is set
  const lines = found === 'native' ? withoutOthers(bytes, count, () => (records += 1)) : bytes;
  const isWhole = found === 'native' && !isMemory(first);
  const counted = found === 'native' ? await readEnd(path, stats.size) : undefined;
  const isComplete = counted !== undefined || !(isWhole || (found === 'native' && isExported(first)));
  const missing = () => Math.max(0, (counted ?? 0) - records);
  return { format: found, lines, nameOf: numbered('line'), others, isWhole, isComplete, unread: [], missing };
}

const none = () => 0;
const numbered = (what: string) => (line: number) => `${what} ${line}`;

/** How many records the last line of a file counts; undefined where it is not the end of an export. */
async function readEnd(path: string, size: number): Promise<number | undefined> {
  const file = await open(path);
  try {
    const start = Math.max(0, size - END_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, start);
    const last = buffer.subarray(0, bytesRead).toString('utf8').trimEnd().split('\n').at(-1) ?? '';
    return countOfEnd(last);
  } finally {
    await file.close();
  }
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } finally {
    await file.close();
  }
}

/** Does the text begin one object that holds all others, over several lines or in one? */
function isOneValue(head: string): boolean {
  const [first = ''] = head.trimStart().split('\n', 1);
  if (!first.trim().startsWith('{')) return false;
  const value = readJsonText(first);
  return value === undefined || (knownFormat(value) === undefined && listsIn(value).length > 0);
}

interface List {
  readonly items: readonly unknown[];
  /** How many items its other lists have, by name. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * The items of a JSON array, or of an array in an object (`{"results": [...]}`): the only one, or the first whose items are
 * of a known format. Undefined for anything else.
 */
async function readList(path: string, size: number): Promise<List | undefined> {
  if (size > MAX_JSON_BYTES)
    throw new Failure(`${path} is a JSON document of more than ${MAX_JSON_BYTES} bytes.`, {
      next: 'Write one object a line, for example with: jq -c .[]',
    });
  const value = readJsonText((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
  if (Array.isArray(value)) return { items: value, others: new Map() };
  const lists = listsIn(value);
  const chosen = lists.find(([, items]) => knownFormat(items[0]) !== undefined) ?? lists[0];
  const isClear = chosen && (lists.length === 1 || knownFormat(chosen[1][0]) !== undefined);
  if (!isClear) return undefined;
  const others = lists.filter((list) => list !== chosen && list[1].length > 0);
  return { items: chosen[1], others: new Map(others.map(([name, items]) => [name, items.length])) };
}

function listsIn(value: unknown): Array<readonly [string, readonly unknown[]]> {
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, each]) => (Array.isArray(each) ? [[name, each] as const] : []))
    : [];
}

function knownFormat(first: unknown): Format | undefined {
  if (!isRecord(first)) return undefined;
  if (typeof first['record'] === 'string') return 'native';
  if (first['type'] === 'entity' || first['type'] === 'relation') return 'mcp-memory';
  if (typeof first['memory'] === 'string') return 'mem0';
  return typeof first['markdown'] === 'string' ? 'basic-memory' : undefined;
}

function formatOf(first: unknown): Format {
  const found = knownFormat(first);
  if (found) return found;
  throw new Failure('The format of the file is not known.', {
    next: `Name it with --format: ${FORMATS.join(', ')}.`,
  });
}

async function* asLines(items: Iterable<unknown>): AsyncGenerator<Uint8Array> {
  for (const item of items) yield Buffer.from(`${JSON.stringify(item)}\n`);
}

interface Note {
  /** From the folder of all notes, with `/`. */
  readonly path: string;
  /** Why its folder cannot be read, of which this is the path then. */
  readonly fault?: unknown;
}

/** The Markdown files of a folder, and the folders in it that cannot be read; hidden ones are left out. */
async function notesIn(root: string, folder = ''): Promise<Note[]> {
  const listed = await readdir(join(root, folder), { withFileTypes: true }).catch((fault: unknown) => {
    if (folder === '') throw fault;
    return { fault };
  });
  if ('fault' in listed) return [{ path: folder, fault: listed.fault }];
  const notes: Note[] = [];
  for (const entry of listed) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) notes.push(...(await notesIn(root, path)));
    else if (entry.isFile() && NOTE.test(entry.name)) notes.push({ path });
  }
  return notes;
}

/** Notes of a folder in the order of their paths. */
function readNotes(root: string, found: readonly Note[]): Source {
  const notes = [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
  const unread: Array<Source['unread'][number]> = [];
  const others = new Map<string, number>();
  async function lineOf({ path, fault }: Note): Promise<string> {
    if (fault !== undefined) throw fault;
    const { size } = await stat(join(root, path));
    if (size > MAX_NOTE_BYTES) throw new Failure(`the note is over ${MAX_NOTE_BYTES} bytes`);
    const markdown = await readFile(join(root, path), 'utf8');
    if (markdown.trim() !== '') return JSON.stringify({ path, markdown });
    others.set(EMPTY_NOTE, (others.get(EMPTY_NOTE) ?? 0) + 1);
    return '';
  }
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const [at, note] of notes.entries()) {
      const line = await lineOf(note).catch((thrown: unknown) => {
        const message =
          thrown instanceof Failure ? thrown.message : `it cannot be read (${reasonOf(thrown)})`;
        unread.push({ line: at + 1, message });
        return '';
      });
      yield Buffer.from(`${line}\n`);
    }
  }
  return {
    format: 'basic-memory',
    lines: lines(),
    nameOf: (line) => notes[line - 1]?.path ?? `line ${line}`,
    others,
    isWhole: false,
    isComplete: true,
    unread,
    missing: none,
  };
}
