import {
  CallAdmission,
  Clock,
  Events,
  Quotas,
  SchemaChecks,
  ServiceError,
  WorkQueues,
  invalidArgument,
  notFound,
  provideForCall,
  roleAtLeast,
  token,
  type Issue,
  type Line,
} from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { checkSizes, checkValidity, utc } from '../schemas.js';
import { Screening } from '../services/screening.js';
import { KnowledgeNodes } from '../nodes.js';
import { FORMATS, type FormatName } from './formats/index.js';
import type { Ends, Entry } from './import-entries.js';
import { ImportWriter } from './import-writer.js';
import { LINES, MAX_IMPORTED_METADATA_BYTES, type MemoryLine } from './lines.js';

/** A batch is written from so many records or bytes on, but not between a node and its versions before the maximum. */
const BATCH_RECORDS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCH_RECORDS = 2_000;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const MAX_ERRORS = 100;
/** Faults of one line that the report names. */
const NAMED_ISSUES = 3;
/** How far the clock of the exporting machine may be ahead. */
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

export interface ImportResult {
  imported: number;
  /** Records that the workspace has. */
  skipped: number;
  /** Lines that were left out, of which `errors` names the first hundred. */
  failed: number;
  /** Records that secrets were taken out of. */
  redacted: number;
  readonly errors: Array<{ readonly line: number; readonly message: string }>;
}

/** Reads memory into the workspace that the call is admitted to. */
export interface MemoryImport {
  /**
   * Imports lines of a format, batch by batch: batches before a failure stay, and the same lines may be sent again.
   * `projectId` is for records whose own project is not in the workspace. Throws NOT_FOUND for it.
   */
  run(
    lines: AsyncIterable<Line>,
    options: { readonly format: FormatName; readonly projectId: string | undefined },
  ): Promise<ImportResult>;
}
export const MemoryImport = token<MemoryImport>('memory.Import');

export const memoryImport = provideForCall(MemoryImport, {
  uses: {
    admission: CallAdmission,
    checks: SchemaChecks,
    clock: Clock,
    events: Events,
    nodes: KnowledgeNodes,
    projects: ProjectDirectory,
    queues: WorkQueues,
    quotas: Quotas,
    screening: Screening,
  },
  create: ({
    admission,
    checks,
    clock,
    events,
    nodes,
    projects,
    queues,
    quotas,
    screening,
  }): MemoryImport => ({
    async run(lines, { format: name, projectId }) {
      const { workspaceId, workspaces, caller } = admission;
      const mayNameOthers = roleAtLeast(workspaces.get(workspaceId) ?? 'viewer', 'admin');
      const known = new Map<string, boolean>();
      const isHere = async (id: string): Promise<boolean> => {
        const there = known.get(id) ?? (await projects.find(id, [workspaceId])) !== undefined;
        known.set(id, there);
        return there;
      };
      if (projectId !== undefined && !(await isHere(projectId)))
        throw notFound('project', projectId, 'projects_list');
      // Before the transaction of a batch, since it is another query of the database.
      const placed = async <R extends { readonly project_id: string | null }>(record: R): Promise<R> => {
        const { project_id: id } = record;
        if (id === null && name === 'native') return record;
        const isKnown = id !== null && (await isHere(id));
        return { ...record, project_id: isKnown ? id : (projectId ?? null) };
      };
      const now = clock.now();
      const latest = new Date(now.getTime() + CLOCK_SKEW_MS).toISOString();
      const writer = new ImportWriter(
        {
          workspaceId,
          userId: caller.userId,
          now: now.toISOString(),
        },
        { events, nodes, queues, quotas, projects },
      );
      const result: ImportResult = { imported: 0, skipped: 0, failed: 0, redacted: 0, errors: [] };
      const fail = (line: number, message: string): void => {
        result.failed += 1;
        if (result.errors.length < MAX_ERRORS) result.errors.push({ line, message });
      };

      let batch: Entry[] = [];
      let batchBytes = 0;
      const flush = async (isOpen: boolean): Promise<void> => {
        if (batch.length === 0) return;
        const { imported, skipped, faults } = await writer.write(batch, { isOpen });
        result.imported += imported;
        result.skipped += skipped;
        for (const { line, message } of faults) fail(line, message);
        batch = [];
        batchBytes = 0;
      };
      const add = async (entry: Entry, bytes: number): Promise<void> => {
        const isFull = batch.length >= BATCH_RECORDS || batchBytes >= BATCH_BYTES;
        const isOverfull = batch.length >= MAX_BATCH_RECORDS || batchBytes >= MAX_BATCH_BYTES;
        const endsInside = isOverfull && batch.at(-1)?.value.record === 'version';
        if (entry.value.record === 'version' ? endsInside : isFull)
          await flush(entry.value.record === 'version');
        batch.push(entry);
        batchBytes += bytes;
      };
      const accept = async (
        line: number,
        record: object,
        bytes: number,
        ends?: () => Ends,
      ): Promise<void> => {
        const given = checked(record, checks);
        const { values: value, redacted } = screening.screen(given);
        if (redacted.redacted) result.redacted += 1;
        refuseFuture(value, latest);
        if (!mayNameOthers) refuseOthers(value, caller.userId);
        const { record: kind } = value;
        if (kind === 'edge') await add({ line, value, ends: ends?.() }, bytes);
        else if (kind === 'version')
          await add({ line, value: { ...value, node: await placed(value.node) } }, bytes);
        else await add({ line, value: await placed(value), grows: format.grows }, bytes);
      };
      const attempt = async (line: number, work: () => Promise<void>): Promise<void> => {
        try {
          await work();
        } catch (thrown) {
          if (!(thrown instanceof ServiceError) || thrown.code !== 'INVALID_ARGUMENT') throw thrown;
          fail(line, faultOf(thrown));
        }
      };

      const format = FORMATS[name](checks);
      let isWhole = name !== 'native'; // other formats have no versions
      for await (const { line, bytes, value, fault } of lines) {
        if (value === undefined) fail(line, fault);
        else {
          isWhole ||= value['record'] === 'end';
          await attempt(line, async () => {
            for (const record of format.read(value, line))
              await accept(line, record, bytes, format.ends && (() => format.ends!(value)));
          });
        }
      }
      for (const { line, record, ends } of format.finish?.() ?? [])
        await attempt(line, () => accept(line, record, 500, ends && (() => ends)));
      await flush(!isWhole);
      return result;
    },
  }),
});

/** All that is wrong with a line, since the report of an import has no details. */
function faultOf({ message, details }: ServiceError): string {
  const issues = (details?.['issues'] ?? []) as readonly Issue[];
  if (issues.length < 2) return message;
  const named = issues.slice(0, NAMED_ISSUES).map((issue) => {
    const field = issue.path.slice(1).replaceAll('/', '.');
    return field === '' ? issue.message : `${field}: ${issue.message}`;
  });
  const more = issues.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** A native line with its defaults. Throws INVALID_ARGUMENT. */
function checked(record: object, checks: SchemaChecks): MemoryLine {
  const { record: kind } = record as { record?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(LINES, kind))
    throw invalidArgument('/record', `must be one of ${Object.keys(LINES).join(', ')}`);
  checks.check(LINES[kind as keyof typeof LINES], record);
  const line = record as MemoryLine; // as just checked
  for (const part of line.record === 'version' ? [line.node] : 'content' in line ? [line] : []) {
    checkSizes({ content: part.content });
    if (Buffer.byteLength(JSON.stringify(part.metadata)) > MAX_IMPORTED_METADATA_BYTES)
      throw invalidArgument('/metadata', `must have at most ${MAX_IMPORTED_METADATA_BYTES} bytes as JSON`);
  }
  for (const node of line.record === 'version' ? [line.node] : line.record === 'node' ? [line] : [])
    for (const field of ['supersedes', 'superseded_by'] as const)
      if (node[field] === node.id) throw invalidArgument(`/${field}`, 'must be another node'); // it could never be reopened
  // A node that was superseded before it became valid has its end before its beginning.
  if (line.record === 'node' && line.status !== 'superseded' && line.valid_from && line.valid_to)
    checkValidity({ valid_from: utc(line.valid_from), valid_to: utc(line.valid_to) });
  return line;
}

/** Throws INVALID_ARGUMENT for a time of storing that is still to come: what is recorded later would seem older. */
function refuseFuture(line: MemoryLine, latest: string): void {
  const part = line.record === 'version' ? line.node : line;
  const stored = {
    recorded_at: line.record === 'version' ? line.recorded_at : undefined,
    created_at: part.created_at,
    updated_at: 'updated_at' in part ? part.updated_at : undefined,
  };
  for (const [field, time] of Object.entries(stored))
    if (time !== undefined && Date.parse(time) > Date.parse(latest))
      throw invalidArgument(`/${field}`, 'must not be in the future');
}

/** Throws INVALID_ARGUMENT where a line says that somebody else wrote it. */
function refuseOthers(line: MemoryLine, userId: string): void {
  const named = {
    recorded_by: line.record === 'version' ? line.recorded_by : undefined,
    created_by: line.record === 'version' ? line.node.created_by : line.created_by,
  };
  for (const [field, author] of Object.entries(named)) {
    if (author !== undefined && author !== userId)
      throw invalidArgument(
        `/${field}`,
        'names another user, which takes the role admin; leave it out for yourself',
      );
  }
}
