import { invalidArgument, type SchemaChecks } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { idAt } from '../map-id.js';
import type { Format } from './index.js';
import { readYaml } from './read-yaml.js';
import { detached, nodeTypeOf, relationOf, tagsOf, timeOf, titleOf } from './words.js';

const Note = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 1024 }),
  markdown: Type.String(),
});
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
const LINK = /\[\[([^[\]\n]{1,500})\]\]/g;
/** `- relation_type [[Target]]`; an observation begins with `[category]`. */
const RELATION = /^\s*[-*]\s+([^\s[\]][^[\]]{0,199})$/;
const OBSERVATION = /^\s*[-*]\s+\[[^\]]{1,100}\]\s/;
const HASHTAG = /(?:^|\s)#([\p{L}\p{N}_/-]{1,100})/gu;
const FENCE = /^\s*(?:```|~~~)/;
const MAX_BEFORE_LINK = 300;
const MAX_LINKS = 200_000;
/** Of links and of the names of notes, that are held together. */
const MAX_HELD_CHARACTERS = 64 * 1024 * 1024;
const MAX_FRONT_MATTER = 16 * 1024;

interface Link {
  readonly line: number;
  readonly source: string;
  readonly word: string;
  /** Key of a name. */
  readonly target: string;
}

/**
 * Notes of basic-memory, one Markdown file a line as `{path, markdown}`: a note becomes a node with its text, the tags of
 * its front matter and observations, and edges for its `[[links]]`. Links go to notes of the same import, by title,
 * alias, permalink or path; others stay in the text alone. Holds the names of all notes and up to 200,000 links, 64 MiB
 * together.
 */
export function basicMemory(checks: SchemaChecks): Format {
  const ids = new Map<string, string>();
  const links: Link[] = [];
  let characters = 0;
  const hold = (text: string): string => {
    characters += text.length;
    if (characters > MAX_HELD_CHARACTERS)
      throw invalidArgument(
        '/markdown',
        `has names or links beyond the first ${MAX_HELD_CHARACTERS} characters`,
      );
    return detached(text);
  };
  return {
    read(value, line) {
      checks.check(Note, value);
      const { path, markdown } = value as Static<typeof Note>; // as just checked
      if (/^\uFEFF?\s*$/.test(markdown))
        throw invalidArgument('/markdown', 'is empty: there is nothing to remember');
      const { front, body } = split(markdown);
      const name = path.replace(/\.mdx?$/i, '');
      const file = name.slice(name.lastIndexOf('/') + 1);
      const title = titleOf(
        typeof front['title'] === 'string' && front['title'].trim() ? front['title'] : file,
      );
      const created = timeOf(front['created'] ?? front['created_at'] ?? front['date']);
      const updated = timeOf(front['modified'] ?? front['updated'] ?? front['updated_at']);
      const id = idAt(created, `basic-memory ${path}`);
      const { aliases } = front;
      for (const key of [
        name,
        front['permalink'],
        title,
        file,
        ...(Array.isArray(aliases) ? aliases : [aliases]),
      ])
        if (typeof key === 'string' && !ids.has(keyOf(key))) ids.set(hold(keyOf(key)), id);
      const { found, hashtags } = scan(body);
      for (const { word, target } of found) {
        if (links.length >= MAX_LINKS)
          throw invalidArgument('/markdown', `has links beyond the first ${MAX_LINKS}`);
        links.push({ line, source: id, word: hold(word), target: hold(keyOf(target)) });
      }
      const { tags } = front;
      const given = Array.isArray(tags) ? tags : typeof tags === 'string' ? tags.split(',') : [];
      return [
        {
          record: 'node',
          id,
          node_type: nodeTypeOf(typeof front['type'] === 'string' ? front['type'] : undefined),
          title,
          content: body.trim() === '' ? title : body.trim(),
          tags: tagsOf([...given, ...hashtags]),
          metadata: { basic_memory: { ...front, path } },
          ...(created !== undefined && { created_at: created, valid_from: created }),
          ...(updated !== undefined && { updated_at: updated }),
        },
      ];
    },
    *finish() {
      for (const { line, source, word, target } of links) {
        const other = ids.get(target);
        if (other === undefined || other === source) continue;
        const { type, reversed } = relationOf(word);
        yield {
          line,
          record: {
            record: 'edge',
            id: idAt(undefined, `basic-memory link ${JSON.stringify([source, other, word])}`),
            source_node_id: reversed ? other : source,
            target_node_id: reversed ? source : other,
            relation_type: type,
            context: word,
          },
        };
      }
    },
  };
}

function split(markdown: string): { readonly front: Record<string, unknown>; readonly body: string } {
  const [whole = '', yaml = ''] = FRONT_MATTER.exec(markdown) ?? [];
  if (yaml.length > MAX_FRONT_MATTER)
    throw invalidArgument('/markdown', `its front matter has more than ${MAX_FRONT_MATTER} characters`);
  let front: unknown;
  try {
    front = JSON.parse(JSON.stringify(readYaml(yaml) ?? {})); // plain data alone
  } catch {
    throw invalidArgument('/markdown', 'its front matter is not valid YAML');
  }
  const isMap = typeof front === 'object' && front !== null && !Array.isArray(front);
  return { front: isMap ? (front as Record<string, unknown>) : {}, body: markdown.slice(whole.length) };
}

/** The links of a text with the words before them, and its hashtags; code blocks are left out. */
function scan(body: string) {
  const found: Array<Pick<Link, 'word' | 'target'>> = [];
  const hashtags: string[] = [];
  let isCode = false;
  for (const text of body.split('\n')) {
    if (FENCE.test(text)) isCode = !isCode;
    if (isCode) continue;
    if (OBSERVATION.test(text)) for (const [, tag = ''] of text.matchAll(HASHTAG)) hashtags.push(tag);
    for (const link of text.matchAll(LINK)) {
      const before = link.index <= MAX_BEFORE_LINK ? text.slice(0, link.index) : '';
      const word = RELATION.exec(before)?.[1]?.trim() ?? 'links_to';
      found.push({ word, target: String(link[1]).split('|', 1)[0]?.split('#', 1)[0] ?? '' });
    }
  }
  return { found, hashtags };
}

/** Titles, permalinks and paths in one form: `Notes/Some Title` is `notes/some-title`. */
function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}/]+/gu, '-');
}
