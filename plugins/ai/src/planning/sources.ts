import type { Evidence, FoundFile } from './evidence.js';
import type { PlanSource } from './plan-schemas.js';

const MAX_DOCUMENTS = 5;
const MAX_RECORDS = 20;

/** What a plan is based on: the lines that were found of its files, the nearest documents, and records. */
export function sourcesOf({ files, records }: Evidence, used: readonly FoundFile[]): PlanSource[] {
  const documents = files
    .filter((file) => file.kind === 'doc' && !used.includes(file))
    .slice(0, MAX_DOCUMENTS);
  return [
    ...[...used, ...documents].map(sourceOf),
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
