import { oneLine } from '@service-mcp/core';
import { whereToRead } from '../where-to-read.js';
import type { PlanAnswer } from './plan-schemas.js';

/** Files, symbols and tests of a step, questions, and characters of a plan that a model reads. */
const MAX_FILES = 6;
const MAX_SYMBOLS = 4;
const MAX_TESTS = 3;
const MAX_QUESTIONS = 6;
const MAX_CHARS = 8000;

/** An outline for a model: steps with their files and why; structuredContent has the rest. */
export function planText(
  { plan, index, warnings }: PlanAnswer,
  { project_id }: { readonly project_id?: string },
): string {
  const titles = new Map(plan.sources.flatMap(({ id, title }) => (id === undefined ? [] : [[id, title]])));
  const decided = [...new Set(plan.steps.flatMap((step) => step.decisions))];
  const files = new Set(plan.steps.flatMap((step) => step.files));
  const isShown = ({ path = '' }) => files.has(path);
  const list = (title: string, items: readonly string[], most: number) => {
    const more = items.length > most ? `, and ${items.length - most} more` : '';
    return items.length === 0 ? [] : [`   ${title}: ${items.slice(0, most).join(', ')}${more}`];
  };
  const parts = new Set(plan.steps.flatMap(partsOf)); // a single one is what the title says
  const steps = plan.steps.flatMap((step) => [
    `${step.order}. ${step.title} (${step.risk} risk, ${step.effort}${step.depends_on.length > 0 ? `, after ${step.depends_on.join(', ')}` : ''})`,
    ...(parts.size > 1 ? partsOf(step).map((line) => `   ${line}`) : []),
    ...list('files', step.files, MAX_FILES),
    ...list('symbols', step.symbols, MAX_SYMBOLS),
    ...list('tests', step.tests, MAX_TESTS),
    ...list(
      'respects',
      step.decisions.map((id) => `D${decided.indexOf(id) + 1}`),
      decided.length,
    ),
  ]);
  const text = [
    `${plan.title} (${plan.generator})`,
    plan.summary,
    ...(plan.id === undefined ? [] : [`Saved as the knowledge node ${plan.id}.`]),
    ...decided.map((id, i) => `D${i + 1} ${oneLine(titles.get(id) ?? '')} [${id}]`),
    ...steps,
    ...plan.open_questions.slice(0, MAX_QUESTIONS).map((question) => `? ${question}`),
    ...(index.state === 'ready' ? [] : [`Index: ${index.state}, ${index.pending} pending.`]),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(project_id === undefined ? [whereToRead(plan.sources.filter(isShown))].filter(Boolean) : []),
  ].join('\n');
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}\n… shortened: lower max_steps.`;
}

/** The parts of the requirements that a step serves. */
function partsOf({ description }: PlanAnswer['plan']['steps'][number]): string[] {
  return description.split('\n').filter((line) => line.startsWith('For: '));
}
