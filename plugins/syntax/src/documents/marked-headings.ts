import type { SourceSymbol } from '../contract.js';
import { Lines } from '../text.js';
import { sections, type Heading } from './sections.js';

/** How headings of a format are written on one line. */
interface Format {
  /** Matches a whole line; the first group tells the level, the second is the title. */
  readonly heading: RegExp;
  readonly levelOf: (mark: string) => number;
  readonly titleOf?: (title: string) => string;
  /** Matches a line that begins a block without headings; its first group is what the end has, too. */
  readonly fence: RegExp;
  readonly isFenceEnd: (line: string, fence: string) => boolean;
}

const MAX_LINE = 1000;
const LATEX_LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph'];

const FORMATS = {
  asciidoc: {
    heading: /^(={1,6})\s+(\S.*)$/,
    levelOf: ({ length }) => length,
    fence: /^(-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,})(?:(?<=`)[^`]+)?$/,
    isFenceEnd: (line, fence) => line === fence,
  },
  latex: {
    heading:
      /^\s*\\(part|chapter|(?:sub){0,2}section|paragraph)\*?\s*(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})+)\}/,
    levelOf: (mark) => LATEX_LEVELS.indexOf(mark) + 1,
    titleOf: (title) => title.replaceAll(/\\[a-zA-Z]+\s*|[{}]/g, ''),
    fence: /^\s*\\begin\{((?:verbatim|lstlisting|minted)\*?)\}/,
    isFenceEnd: (line, fence) => line.includes(`\\end{${fence}}`),
  },
  org: {
    heading: /^(\*{1,9})\s+(\S.*)$/,
    levelOf: ({ length }) => length,
    titleOf: (title) =>
      title.replace(/^(?:T[O]DO|DONE|NEXT|WAITING|CANCELLED)\s+/, '').replace(/(?<!\s)\s+(?::[\w@]+)+:$/, ''),
    fence: /^\s*#\+begin_(src|example|export)\b/i,
    isFenceEnd: (line, fence) => line.trim().toLowerCase() === `#+end_${fence.toLowerCase()}`,
  },
  typst: {
    heading: /^(={1,6})\s+(\S.*)$/,
    levelOf: ({ length }) => length,
    titleOf: (title) => title.replace(/(?:(?<!\s)\s+)?<[\w:.-]+>$/, ''),
    fence: /^\s*(`{3,})/,
    isFenceEnd: (line, fence) => line.includes(fence),
  },
} as const satisfies Readonly<Record<string, Format>>;

/** Formats whose headings are marked on their line, by language: the sections of a text. */
export const MARKED: ReadonlyArray<readonly [language: string, read: (text: string) => SourceSymbol[]]> =
  Object.entries(FORMATS).map(([language, format]) => [language, (text) => markedSections(text, format)]);

function markedSections(text: string, format: Format): SourceSymbol[] {
  const { heading, levelOf, titleOf, isFenceEnd } = format;
  const lines = new Lines(text);
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.count; at += 1) {
    const line = lines.line(at, MAX_LINE);
    if (fence !== undefined) {
      if (isFenceEnd(line, fence)) fence = undefined;
      continue;
    }
    const [opening = '', opened] = format.fence.exec(line) ?? [];
    if (opened !== undefined && !isFenceEnd(line.slice(opening.length), opened)) fence = opened;
    const [, mark = '', title = ''] = heading.exec(line) ?? [];
    if (mark !== '')
      headings.push({
        level: levelOf(mark),
        title: titleOf?.(title) ?? title,
        signature: line.trim(),
        start: lines.start(at),
      });
  }
  return sections(lines, headings);
}
