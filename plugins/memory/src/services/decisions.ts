import { CallAdmission, Clock, Database, countRows, pageOf, provideForCall, token } from '@service-mcp/core';
import type { PageOf, PageRequest, Query } from '@service-mcp/core';
import type { Decision } from '../answers.js';
import type { CheckedCodeRefs, NODE_STATUSES } from '../schemas.js';
import { References, type Referring } from './code-refs.js';
import { versionsAsOf } from './node-versions.js';
import { replacementsById } from './replacements.js';
import { relatedNodes, relationsOf, type Related } from './relations.js';
import { firstSentence, rationaleOf } from './sentences.js';
import { validAt } from './validity.js';

export interface DecisionRequest extends PageRequest {
  readonly project_id: string | undefined;
  /** `active`: in force, which verified ones are too; without `as_of`, nodes that are valid now, and events up to now. */
  readonly status: (typeof NODE_STATUSES)[number];
  readonly as_of: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Only these records, in this order, where a search has chosen them. */
  readonly ranked?: readonly string[];
}

/** The decisions of a workspace, from decision nodes and decision events: newest first, or as a search ranks them. */
export interface Decisions {
  list(request: DecisionRequest): Promise<PageOf<Decision>>;
}
export const Decisions = token<Decisions>('memory.Decisions');

const MAX_SUMMARY = 300;
const MAX_RATIONALE = 1000;

/** A decision as it is selected, from any of three tables. */
interface Row {
  readonly id: string;
  readonly kind: Decision['kind'];
  readonly status: Decision['status'];
  readonly decided_at: string;
  /** The JSON of a version, where the past was asked for. */
  readonly node: string | null;
}
interface Text {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly code_refs: CheckedCodeRefs;
  readonly supersedes?: string | null;
  readonly superseded_by?: string | null;
}

export const decisions = provideForCall(Decisions, {
  uses: { database: Database, clock: Clock, references: References, admission: CallAdmission },
  create({ database, clock, references, admission }): Decisions {
    const { sql } = database;
    const { workspaceId: workspace_id } = admission;
    const NODE = sql.raw("'node' as kind");
    const statuses = ({ status }: DecisionRequest) =>
      status === 'active' ? ['active', 'verified'] : [status];

    function fromNodes(request: DecisionRequest): Query {
      const { project_id, as_of, since, until, ranked } = request;
      if (as_of !== undefined) return fromVersions(request, as_of);
      const rows = sql('memory_nodes')
        .where({ workspace_id, deleted: 0, node_type: 'decision' })
        .whereIn('status', statuses(request));
      if (request.status === 'active') void validAt(rows, clock.now().toISOString());
      if (project_id !== undefined) void rows.where({ project_id });
      if (since !== undefined) void rows.where('valid_from', '>=', since);
      if (until !== undefined) void rows.where('valid_from', '<', until);
      if (ranked) void rows.whereIn('id', ranked);
      return rows.select('id', NODE, 'status', sql.raw('valid_from as decided_at'), sql.raw('NULL as node'));
    }

    function fromVersions(request: DecisionRequest, as_of: string): Query {
      const { project_id, since, until, ranked } = request;
      const of = 'memory_node_versions';
      const rows = versionsAsOf(sql, [workspace_id], as_of)
        .where(`${of}.node_type`, 'decision')
        .whereIn(`${of}.status`, statuses(request));
      if (project_id !== undefined)
        void rows.whereExists((node) =>
          node
            .select(sql.raw('1'))
            .from('memory_nodes')
            .whereRaw('id = ??', [`${of}.node_id`])
            .where({ project_id }),
        );
      if (since !== undefined) void rows.where(`${of}.valid_from`, '>=', since);
      if (until !== undefined) void rows.where(`${of}.valid_from`, '<', until);
      if (ranked) void rows.whereIn(`${of}.node_id`, ranked);
      return rows.select(
        sql.raw('node_id as id'),
        NODE,
        `${of}.status`,
        sql.raw('valid_from as decided_at'),
        `${of}.node`,
      );
    }

    function fromEvents({ status, project_id, as_of, since, until, ranked }: DecisionRequest): Query {
      const rows = sql('memory_events').where({ workspace_id, deleted: 0, event_type: 'decision' });
      if (status !== 'active') void rows.whereRaw('1 = 0'); // an event is what happened: it has no other status
      if (project_id !== undefined) void rows.where({ project_id });
      void rows.where('occurred_at', '<=', as_of ?? clock.now().toISOString());
      if (as_of !== undefined) void rows.where('created_at', '<=', as_of);
      if (since !== undefined) void rows.where('occurred_at', '>=', since);
      if (until !== undefined) void rows.where('occurred_at', '<', until);
      if (ranked) void rows.whereIn('id', ranked);
      const columns = ["'event' as kind", "'active' as status", 'occurred_at as decided_at', 'NULL as node'];
      return rows.select('id', ...columns.map((column) => sql.raw(column)));
    }

    async function textsOf(rows: readonly Row[]): Promise<Map<string, Text>> {
      const texts = new Map<string, Text>();
      for (const { node } of rows) {
        if (node === null) continue;
        const text = JSON.parse(node) as Text;
        texts.set(text.id, text);
      }
      const ids = rows.filter(({ node }) => node === null).map(({ id }) => id);
      const columns = ['id', 'workspace_id', 'project_id', 'title', 'content', 'code_refs'];
      for (const [table, more] of [
        ['memory_nodes', ['supersedes', 'superseded_by']],
        ['memory_events', []],
      ] as const) {
        const found = (await sql(table)
          .whereIn('id', ids)
          .select([...columns, ...more])) as Array<Text & Referring & { code_refs: string }>;
        const records = found.map((row) => ({
          ...row,
          code_refs: JSON.parse(row.code_refs) as CheckedCodeRefs,
        }));
        for (const record of await references.current(records)) texts.set(record.id, record);
      }
      return texts;
    }

    async function decisionsOf(rows: readonly Row[], { as_of }: DecisionRequest): Promise<Decision[]> {
      const texts = await textsOf(rows);
      const ids = rows.map(({ id }) => id);
      const related = await relatedNodes(sql, [workspace_id], ids, as_of);
      const replaced =
        as_of === undefined
          ? await replacementsById(sql, workspace_id, ids, clock.now())
          : new Map<string, { id: string }>();
      return rows.flatMap((row) =>
        decisionOf(row, texts.get(row.id), related.get(row.id), replaced.get(row.id)?.id ?? null),
      );
    }

    return {
      async list(request) {
        const { page, per_page, ranked } = request;
        const from = (page - 1) * per_page;
        const both = () => sql(sql.unionAll([fromNodes(request), fromEvents(request)]).as('decisions'));
        if (ranked) {
          const places = new Map(ranked.map((id, place) => [id, place]));
          const rows = ((await both()) as Row[]).sort(
            (a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0),
          );
          return pageOf(await decisionsOf(rows.slice(from, from + per_page), request), rows.length, request);
        }
        const total = await countRows(both());
        // Limited apart, since PostgreSQL would read and sort all rows of both.
        const newest = [fromNodes(request), fromEvents(request)].map((decided) =>
          sql(
            newestFirst(decided)
              .limit(from + per_page)
              .as('newest'),
          ),
        );
        const shown = newestFirst(sql(sql.unionAll(newest).as('decisions')));
        const rows = (await shown.limit(per_page).offset(from)) as Row[];
        return pageOf(await decisionsOf(rows, request), total, request);
      },
    };
  },
});

const newestFirst = (rows: Query) => rows.orderBy('decided_at', 'desc').orderBy('id', 'desc');

function decisionOf(
  { id, kind, status, decided_at }: Row,
  text: Text | undefined,
  edges: readonly Related[] | undefined,
  perhaps_replaced_by: string | null,
): Decision[] {
  if (!text) return [];
  const { title, content, code_refs, superseded_by = null } = text;
  const related = relationsOf(text, edges);
  const summary = firstSentence(content, MAX_SUMMARY);
  const rationale = rationaleOf(content, MAX_RATIONALE);
  const stands = { status, decided_at, superseded_by, perhaps_replaced_by };
  return [{ id, kind, title, summary, rationale, ...stands, related, code_refs }];
}
