/** A sentence or an item of a list of some requirements. */
export interface Part {
  readonly text: string;
  /** What it spells out: see {@link mentionsOf}. */
  readonly mentions: readonly string[];
}

const MAX_PARTS = 16;
/** Shorter parts say too little to be searched alone. */
const MIN_WORDS = 3;
const MAX_MENTIONS = 40;

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s+/iu;
const HEADING = /^\s*#{1,6}\s+/u;
const FENCE = /^\s*(?:```|~~~)/u;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits requirements at items of lists, paragraphs and sentences, in order. Short parts join the one before; of more than
 * 16 parts, neighbours are joined. Lines of fenced code stay together.
 */
export function partsOf(requirements: string): Part[] {
  const texts: string[] = [];
  for (const block of blocksOf(requirements)) {
    for (const text of block.isCode ? [block.text] : sentencesOf(block.text)) {
      const last = texts.length - 1;
      const isShort = wordsOf(text) < MIN_WORDS;
      if (isShort && last >= 0) texts[last] = `${texts[last]} ${text}`;
      else texts.push(text);
    }
  }
  while (texts.length > MAX_PARTS) texts.splice(...joined(texts));
  return texts.map((text) => ({ text, mentions: mentionsOf(text) }));
}

/** The shortest pair of neighbours, as arguments of `splice` that join it. */
function joined(texts: readonly string[]): [number, number, string] {
  const sizes = texts.slice(1).map((text, i) => text.length + texts[i]!.length);
  const at = sizes.indexOf(Math.min(...sizes));
  return [at, 2, `${texts[at]} ${texts[at + 1]}`];
}

interface Block {
  readonly text: string;
  readonly isCode: boolean;
}

function blocksOf(requirements: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let isCode = false;
  const end = () => {
    const text = lines.join(isCode ? '\n' : ' ').trim();
    if (text !== '') blocks.push({ text, isCode });
    lines = [];
  };
  for (const line of requirements.split(/\r?\n/)) {
    if (FENCE.test(line)) {
      end();
      isCode = !isCode;
    } else if (isCode) lines.push(line);
    else {
      if (line.trim() === '' || ITEM.test(line) || HEADING.test(line)) end();
      lines.push(line.replace(ITEM, '').replace(HEADING, ''));
      if (HEADING.test(line)) end();
    }
  }
  end();
  return blocks;
}

function sentencesOf(text: string): string[] {
  return Array.from(SENTENCES.segment(text), ({ segment }) => segment.trim()).filter((one) => one !== '');
}

function wordsOf(text: string): number {
  return text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
}

const QUOTED = /`([^`\n]{2,200})`|"([^"\n]{2,100})"/gu;
/**
 * `a/b.ts`, `/v1/files`, `store.ts`, `Store.get`, `camelCase`, `snake_case`, `--flag`, `retry()`. What may have to be given up
 * is bounded: the time grows with the length of the text alone.
 */
const SPELLED =
  /--[a-z][\w-]+|[@\w.:{}*-]{0,100}\/(?:[./:{}*-]{0,20}\w)+|\w[\w$]{0,100}(?:(?:\.|::|#)\w+)+|\p{L}[\p{L}\p{N}]{0,100}_[\p{L}\p{N}_]+|\p{L}{0,100}\p{Ll}\p{Lu}[\p{L}\p{N}]*|\w{1,100}(?=\(\))/gu;
const NUMBERS = /^[\d./:-]+$/u;
const ABBREVIATIONS = new Set(['e.g', 'i.e', 'and/or', 'either/or', 'etc']);

/** Names, paths, routes and flags that a text spells out, in order, each once. */
export function mentionsOf(text: string): string[] {
  const quoted = Array.from(text.matchAll(QUOTED), ([, code, phrase]) => (code ?? phrase ?? '').trim());
  const spelled = text.match(SPELLED) ?? [];
  const mentions = [...quoted, ...spelled]
    .map((one) => one.replace(/\(\)$|(?<![.,:;])[.,:;]+$/gu, ''))
    .filter((one) => one.length > 2 && !NUMBERS.test(one) && !ABBREVIATIONS.has(one.toLowerCase()));
  return [...new Set(mentions)].slice(0, MAX_MENTIONS);
}
