import { isDeepStrictEqual } from 'node:util';
import { isRecord, jsonFault, withoutByteOrderMark } from '@service-mcp/core/wire';
import { showEntry, type ClientFormat } from '@service-mcp/transport-mcp/client-settings';
import { applyEdits, modify, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { Failure } from '../failure.js';
import type { JsonObject } from '../json.js';
import { ACCESS_FIELDS } from './settings-files.js';

/** A file of settings and the server to put into it. */
interface Merge {
  readonly file: string;
  /** Empty for a file that does not exist. */
  readonly text: string;
  readonly name: string;
  readonly entry: JsonObject;
}

/** The settings with the server in them; everything else stays as it is, comments too. Throws a Failure for a file that cannot be read as settings. */
export function mergeSettings(client: Pick<ClientFormat, 'format' | 'path'>, merge: Merge): string {
  const text = withoutByteOrderMark(merge.text);
  const mark = merge.text.slice(0, merge.text.length - text.length);
  return `${mark}${(client.format === 'toml' ? mergeToml : mergeJson)(client, { ...merge, text })}`;
}

/** The settings in a text. Throws a Failure. */
export function readSettings(client: Pick<ClientFormat, 'format'>, file: string, marked: string): JsonObject {
  const text = withoutByteOrderMark(marked);
  if (text.trim() === '') return {};
  const next = 'Fix the file, or print the entry with --print and put it there yourself.';
  if (client.format === 'toml') {
    try {
      return parseToml(text);
    } catch (thrown) {
      if (!(thrown instanceof TomlError)) throw thrown;
      throw new Failure(`${file} is not valid TOML: line ${thrown.line}, column ${thrown.column}.`, { next });
    }
  }
  const fault = jsonFault(text, { comments: true });
  if (fault !== undefined) throw new Failure(`${file} is not valid JSON: ${fault}.`, { next });
  const settings: unknown = parseJsonc(text, [], { allowTrailingComma: true });
  if (isRecord(settings)) return settings;
  throw new Failure(`${file} is not a JSON object.`, { next });
}

/** The servers in settings, and the entry with what a person added to an earlier one of that name. Throws a Failure. */
function serversOf(client: Pick<ClientFormat, 'path'>, settings: JsonObject, { file, name, entry }: Merge) {
  let servers: unknown = settings;
  const path = client.path(settings);
  for (const key of path) {
    servers = isRecord(servers) ? servers[key] : undefined;
    if (servers !== undefined && !isRecord(servers)) {
      throw new Failure(`${path.join('.')} in ${file} is not an object.`, {
        next: 'Fix the file, or print the entry with --print and put it there yourself.',
      });
    }
    servers ??= {};
  }
  const before = isRecord(servers) ? servers[name] : undefined;
  const extras = Object.entries(isRecord(before) ? before : {}).filter(([key]) => !ACCESS_FIELDS.has(key));
  return { path, before, merged: { ...entry, ...Object.fromEntries(extras) } };
}

function mergeJson(client: Pick<ClientFormat, 'format' | 'path'>, merge: Merge): string {
  const { file, name } = merge;
  const text = merge.text.trim() === '' ? '{}\n' : merge.text;
  const { path, before, merged } = serversOf(client, readSettings(client, file, text), merge);
  if (isDeepStrictEqual(before, merged)) return merge.text;
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const result = applyEdits(text, modify(text, [...path, name], merged, { formattingOptions }));
  // Where a name is there twice, the first is changed and the last is read.
  if (isDeepStrictEqual(serversOf(client, readSettings(client, file, result), merge).before, merged))
    return result;
  throw unsafe(`${path.join('.')} in ${file} is there twice, or`);
}

function unsafe(subject: string): Failure {
  return new Failure(`${subject} is written in a way that cannot be replaced safely.`, {
    next: 'Delete that entry and run this again, or print the new one with --print and put it there yourself.',
  });
}

/** A server is a table of its own at the end of the file. An earlier one is cut out, header to header. */
function mergeToml(client: Pick<ClientFormat, 'format' | 'path'>, merge: Merge): string {
  const { file, text, name } = merge;
  const settings = readSettings(client, file, text);
  const { path, before, merged } = serversOf(client, settings, merge);
  if (isDeepStrictEqual(plain(before), plain(merged))) return text;
  const rest = before === undefined ? text : withoutTable(text, [...path, name]);
  const separator = rest === '' || rest.endsWith('\n\n') ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
  const result = `${rest}${separator}${showEntry(client, name, merged, settings)}\n`;
  const [key = ''] = path;
  const servers = settings[key];
  const wanted = { ...settings, [key]: { ...(isRecord(servers) ? servers : {}), [name]: merged } };
  // TOML can write a table in many ways: what is written is read again and compared.
  if (isDeepStrictEqual(plain(parsedToml(result)), plain(wanted))) return result;
  throw unsafe(`${key}.${name} in ${file}`);
}

/** The lines of a text without the table at `path` and the tables inside it. */
function withoutTable(text: string, path: readonly string[]): string {
  const key = path.map((part) => String.raw`\s*(?:"${part}"|'${part}'|${part})\s*`).join(String.raw`\.`);
  const own = new RegExp(String.raw`^\s*\[${key}(?:\.[^\]]*)?\]`);
  let isCut = false;
  return text
    .split(/(?<=\n)/)
    .filter((line) => {
      if (/^\s*\[/.test(line)) isCut = own.test(line);
      return !isCut;
    })
    .join('');
}

function parsedToml(text: string): JsonObject | undefined {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

/** Values alone, whatever classes a parser gives them. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
