import type { Evidence, FoundFile, FoundRecord } from './evidence.js';
import type { PlanSource } from './plan-schemas.js';

const MAX_DOCUMENTS = 5;
const MAX_RECORDS = 20;

/** What a plan is based on: the lines that were found of its files, the nearest documents, decisions about their code, and records. */
export function sourcesOf(
  { files, records }: Evidence,
  used: readonly FoundFile[],
  decisions: ReadonlyArray<Pick<FoundRecord, 'id' | 'title'>>,
): PlanSource[] {
  const documents = files
    .filter((file) => file.kind === 'doc' && !used.includes(file))
    .slice(0, MAX_DOCUMENTS);
  const known = new Set(records.map(({ id }) => id));
  const ofCode = new Map(decisions.filter(({ id }) => !known.has(id)).map(({ id, title }) => [id, title]));
  return [
    ...[...used, ...documents].map(sourceOf),
    ...Array.from(ofCode, ([id, title]) => ({ kind: 'decision', title, id, reason: 'about its code' })),
    ...records.slice(0, MAX_RECORDS).map(({ id, type, title, standing }) => ({
      kind: type,
      title,
      id,
      reason: `remembered${standing === '' ? '' : `, ${standing}`}`,
    })),
  ];
}

function sourceOf(file: FoundFile): PlanSource {
  const [line] = file.lines;
  return {
    kind: file.kind,
    title: line?.symbol ?? '',
    project_id: file.projectId,
    path: file.path,
    ...(line && { start_line: line.startLine, end_line: line.endLine }),
    reason: reasonOf(file),
  };
}

const MAX_REASONS = 2;

/** Why a file is there, in a few words. */
export function reasonOf({ reasons, lines }: FoundFile): string {
  const why = [...reasons.slice(0, MAX_REASONS), ...(lines.length > 0 ? ['matches the text'] : [])];
  return why.join(', ') || 'has a name like it';
}
