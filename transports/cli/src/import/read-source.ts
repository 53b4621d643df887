import { createReadStream } from 'node:fs';
import { open, readFile, readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isRecord, readJsonText } from '@service-mcp/core/wire';
import { Failure, fileFailure } from '../failure.js';
import { isEnd, isMemory, withoutOthers } from './without-others.js';

export const FORMATS = ['native', 'mcp-memory', 'mem0', 'basic-memory'] as const;
export type Format = (typeof FORMATS)[number];

/** What an import reads: NDJSON of a format. */
export interface Source {
  readonly format: Format;
  readonly lines: AsyncIterable<Uint8Array>;
  /** What a line of the import is, for messages: `line 8`, or the path of a note. */
  readonly nameOf: (line: number) => string;
  /** Records of a whole export that are not memory; they are left out as the lines are read. */
  readonly others: () => number;
  /** It is the file of a whole export, which begins with records that are not memory. */
  readonly isWhole: boolean;
  /** False for the file of a whole export that ends before its last line, which counts its records. */
  readonly isComplete: boolean;
}

/** Enough of a file to tell its format: its first line has at most 1 MiB. */
const HEAD_BYTES = 1024 * 1024 + 1;
/** More than the last line of an export takes. */
const END_BYTES = 1024;
const MAX_JSON_BYTES = 256 * 1024 * 1024;
const MAX_NOTE_BYTES = 1024 * 1024;

/** Opens a file or a folder of Markdown. `format`: as the person says; else it is told by the contents. */
export async function readSource(path: string, format: Format | undefined): Promise<Source> {
  const unreadable = (thrown: unknown): never => {
    throw fileFailure(path, 'read', 'Give the path of a file, or of a folder of Markdown.', thrown);
  };
  const stats = await stat(path).catch(unreadable);
  if (stats.isDirectory()) return readNotes(path, format);
  const head = await readHead(path).catch(unreadable);
  const list = /^\s*\[/.test(head) || isOneValue(head) ? await readList(path, stats.size) : undefined;
  if (list)
    return {
      format: format ?? formatOf(list[0]),
      lines: asLines(list),
      nameOf: numbered('item'),
      others: () => 0,
      isWhole: false,
      isComplete: true,
    };
  const first = head.split('\n').find((line) => line.trim() !== '') ?? '';
  const found = format ?? formatOf(readJsonText(first));
  const tally = { others: 0 };
  const bytes = createReadStream(path) as AsyncIterable<Buffer>; // no encoding is set
  const lines = found === 'native' ? withoutOthers(bytes, () => (tally.others += 1)) : bytes;
  const isWhole = found === 'native' && !isMemory(first);
  const isComplete = !isWhole || (await endsWhole(path, stats.size));
  return { format: found, lines, nameOf: numbered('line'), others: () => tally.others, isWhole, isComplete };
}

const numbered = (what: string) => (line: number) => `${what} ${line}`;

async function endsWhole(path: string, size: number): Promise<boolean> {
  const file = await open(path);
  try {
    const start = Math.max(0, size - END_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, start);
    const last = buffer.subarray(0, bytesRead).toString('utf8').trimEnd().split('\n').at(-1) ?? '';
    return isEnd(last);
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

/** Does the text begin an object over several lines, as a pretty-printed file does? */
function isOneValue(head: string): boolean {
  const [first = ''] = head.trimStart().split('\n', 1);
  return first.trim().startsWith('{') && readJsonText(first) === undefined;
}

/** The items of a JSON array, or of the one array in an object (`{"results": [...]}`); undefined for anything else. */
async function readList(path: string, size: number): Promise<unknown[] | undefined> {
  if (size > MAX_JSON_BYTES)
    throw new Failure(`${path} is a JSON document of more than ${MAX_JSON_BYTES} bytes.`, {
      next: 'Write one object a line, for example with: jq -c .[]',
    });
  const value = readJsonText((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
  if (Array.isArray(value)) return value;
  const lists = isRecord(value) ? Object.values(value).filter((each) => Array.isArray(each)) : [];
  return lists.length === 1 ? (lists[0] as unknown[]) : undefined;
}

function formatOf(first: unknown): Format {
  if (isRecord(first)) {
    if (typeof first['record'] === 'string') return 'native';
    if (first['type'] === 'entity' || first['type'] === 'relation') return 'mcp-memory';
    if (typeof first['memory'] === 'string') return 'mem0';
    if (typeof first['markdown'] === 'string') return 'basic-memory';
  }
  throw new Failure('The format of the file is not known.', {
    next: `Name it with --format: ${FORMATS.join(', ')}.`,
  });
}

async function* asLines(items: Iterable<unknown>): AsyncGenerator<Uint8Array> {
  for (const item of items) yield Buffer.from(`${JSON.stringify(item)}\n`);
}

/** The Markdown files of a folder in the order of their paths; hidden folders and files are left out. */
async function readNotes(root: string, format: Format | undefined): Promise<Source> {
  if (format !== undefined && format !== 'basic-memory')
    throw new Failure(`A folder is read as basic-memory, not ${format}.`, {
      next: 'Give the path of a file.',
    });
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.mdx?$/i.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort();
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const path of paths) {
      const { size } = await stat(join(root, path));
      // Sent all the same, so that the answer names it.
      const markdown = size > MAX_NOTE_BYTES ? undefined : await readFile(join(root, path), 'utf8');
      yield Buffer.from(`${JSON.stringify({ path, markdown })}\n`);
    }
  }
  return {
    format: 'basic-memory',
    lines: lines(),
    nameOf: (line) => paths[line - 1] ?? `line ${line}`,
    others: () => 0,
    isWhole: false,
    isComplete: true,
  };
}
