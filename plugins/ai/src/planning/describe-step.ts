import type { SymbolImpact } from '@service-mcp/plugin-graph/contract';
import { shortened } from './draft.js';
import type { Evidence, FoundFile, FoundRecord } from './evidence.js';
import type { PlanStep } from './plan-schemas.js';
import { reasonOf } from './sources.js';

const MAX_PARTS = 3;
/** Of the score of the best part: parts below it are served by chance. */
const SERVED = 0.5;
const MAX_FILES = 8;
const MAX_REASONS = 3;
const MAX_TEXT = 200;
/** Direct dependents, and files, from which a step is of medium or large effort. */
const EFFORTS = { medium: { fanIn: 5, files: 3 }, large: { fanIn: 40, files: 7 } } as const;

/** What a step is about, found before it is written. */
export interface StepFacts {
  readonly files: readonly FoundFile[];
  readonly directory: string;
  /** Ids, the best first. */
  readonly symbols: readonly string[];
  /** Of the symbols that the graph has, the riskiest first. */
  readonly impacts: readonly SymbolImpact[];
  readonly decisions: ReadonlyArray<Pick<FoundRecord, 'id' | 'title'>>;
}

/** `Change Store.get and 2 more in src/store`. */
export function stepTitle({ files, symbols, directory }: StepFacts): string {
  const [first, ...others] = symbols.length > 0 ? symbols.map(nameOf) : files.map(({ path }) => nameOf(path));
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return shortened(`Change ${first}${more}${directory === '' ? '' : ` in ${directory}`}`, MAX_TEXT);
}

/** The parts of the requirements that a step serves, why its files are there, and why it is risky. */
export function stepDescription({ parts }: Evidence, { files, impacts, decisions }: StepFacts): string {
  const served = partsServed(files).slice(0, MAX_PARTS);
  const [riskiest] = impacts;
  return [
    ...served.map((part) => `For: ${shortened(parts[part]!.text, MAX_TEXT)}`),
    ...files.slice(0, MAX_FILES).map((file) => `- ${file.path}: ${fileNote(file)}`),
    ...(riskiest ? [`Risk: ${riskiest.reasons.slice(0, MAX_REASONS).join(' ')}`] : []),
    ...decisions.map(({ title, id }) => `Respect: ${shortened(title, MAX_TEXT)} (${id})`),
  ].join('\n');
}

/** Parts of the requirements, the one that the files serve most first. */
export function partsServed(files: readonly FoundFile[]): number[] {
  const scores = new Map<number, number>();
  for (const file of files)
    for (const [part, score] of file.parts) scores.set(part, Math.max(scores.get(part) ?? 0, score));
  const best = Math.max(...scores.values());
  return [...scores]
    .filter(([, score]) => score >= SERVED * best)
    .sort(([a, m], [b, n]) => n - m || a - b)
    .map(([part]) => part);
}

export function effortOf({ files, impacts }: StepFacts): PlanStep['effort'] {
  const fanIn = impacts.reduce((most, { direct }) => Math.max(most, direct), 0);
  const reaches = ({ fanIn: least, files: count }: { fanIn: number; files: number }) =>
    fanIn >= least || files.length >= count;
  if (reaches(EFFORTS.large)) return 'large';
  return reaches(EFFORTS.medium) ? 'medium' : 'small';
}

function fileNote(file: FoundFile): string {
  const symbols = [...new Set(file.lines.map(({ symbol }) => symbol).filter((symbol) => symbol !== ''))];
  const named = symbols.slice(0, MAX_REASONS).map((symbol) => `\`${symbol}\``);
  return [...(named.length > 0 ? [named.join(', ')] : []), reasonOf(file)].join('; ');
}

/** `Store.get` of `src/store.ts#Store.get`, `store.ts` of `src/store.ts`. */
function nameOf(id: string): string {
  return id.includes('#') ? id.slice(id.indexOf('#') + 1) : id.slice(id.lastIndexOf('/') + 1);
}
