import type { Draft } from './draft.js';

/** Characters of a stored plan: memory keeps 100 kB of UTF-8. */
const MAX_CHARS = 30_000;

/** A plan as a document in Markdown, for people and for search. */
export function planDocument({ title, summary, steps, constraints, open_questions }: Draft): string {
  const line = (name: string, items: readonly (string | number)[]) =>
    items.length === 0 ? [] : [`${name}: ${items.join(', ')}`];
  const list = (heading: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`## ${heading}`, ...items.map((item) => `- ${item}`)];
  const text = [
    `# ${title}`,
    summary,
    ...list(
      'Constraints',
      constraints.map((one) => one.text),
    ),
    ...steps.flatMap((step) => [
      `## ${step.order}. ${step.title}`,
      step.description,
      ...line('Files', step.files),
      ...line('Symbols', step.symbols),
      ...line('Tests', step.tests),
      ...line('Decisions', step.decisions),
      ...line('After steps', step.depends_on),
      `Risk: ${step.risk}. Effort: ${step.effort}.`,
    ]),
    ...list('Open questions', open_questions),
  ].join('\n\n');
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()}\n…`;
}
