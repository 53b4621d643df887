/** The ways to search, with what each is best for. */
export const MODES = [
  { id: 'best', label: 'Best', tool: 'search_hybrid', about: 'Meaning and words together.' },
  { id: 'meaning', label: 'Meaning', tool: 'search_semantic', about: 'A question in your own words.' },
  { id: 'words', label: 'Words', tool: 'search_keyword', about: 'Names and phrases as they are written.' },
  {
    id: 'regex',
    label: 'Pattern',
    tool: 'search_pattern',
    about: 'A regular expression, and all its matches.',
  },
] as const;

export type Mode = (typeof MODES)[number];
export const modeOf = (id: string): Mode => MODES.find((mode) => mode.id === id) ?? MODES[0];

/** What the service calls by names of tools and arguments, as this page names it. */
const NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^degraded: /, ''],
  [/filters\.path_prefix/g, 'a folder'],
  [/filters\.languages/g, 'a language'],
  ...MODES.map(({ tool, label }) => [new RegExp(tool, 'g'), `“${label}”`] as const),
];

/** A remark of the service in the words of the page, without the advice to use the mode that is in use. */
export function inWordsOfPage(remark: string, { tool }: Mode): string {
  const sentences = remark.split(/(?<=\.) /).filter((sentence) => !sentence.includes(tool));
  const text = NAMES.reduce((rest, [pattern, name]) => rest.replace(pattern, name), sentences.join(' '));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
