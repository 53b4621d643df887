import { CallAdmission, Clock, Database, countRows, pageOf, provideForCall, token } from '@service-mcp/core';
import type { PageOf, PageRequest, Query } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Finding } from '../answers.js';
import type { CheckedCodeRefs } from '../schemas.js';
import { livingEdges } from './edge-store.js';
import { groupDuplicates } from './group-duplicates.js';
import { exceptKeptApart, readKeptApart } from './apart-store.js';
import { KINDS, type Kind } from './kinds.js';
import { checkRecords } from './record-checks.js';
import { UnionFind } from './union-find.js';
import { validAt } from './validity.js';

/** What in the memory of a workspace deserves a look; found without any model. */
export interface Hygiene {
  /**
   * Findings of a kind, or all. `counts`: of each kind; `unchecked`: records that changed so recently that the report does
   * not cover them.
   */
  report(
    request: PageRequest & { readonly kind?: Finding['kind'] },
  ): Promise<PageOf<Finding> & { counts: Record<Finding['kind'], number>; unchecked: number }>;
}
export const Hygiene = token<Hygiene>('memory.Hygiene');

/** Findings of each kind, and the pairs that they are made of, at most. */
const MAX_FINDINGS = 1000;
const MAX_PAIRS = 20_000;
/** Nodes whose code is looked for. */
const MAX_READ = 20_000;
/** Batches of records that a report checks itself, in at most about a second. */
const MAX_BATCHES = 25;
const MAX_CHECK_MS = 1000;
/** Records that one merge takes. */
const MAX_MERGED = 20;

type Pair = readonly [string, string];
interface AboutCode {
  readonly id: string;
  readonly project_id: string | null;
  readonly code_refs: string;
}
type Untitled = Omit<Finding, 'titles'>;

export const hygiene = provideForCall(Hygiene, {
  uses: { database: Database, clock: Clock, projects: ProjectDirectory, admission: CallAdmission },
  create({ database, clock, projects, admission }): Hygiene {
    const { sql } = database;
    const { workspaceId: workspace_id } = admission;
    const living = (kind: Kind) => sql(KINDS[kind].table).where({ workspace_id, deleted: 0 });
    const now = () => clock.now().toISOString();
    const unchecked = () => sql('memory_unchecked').where({ workspace_id });

    /** Living records, and of nodes those that are not superseded; contradicting ones are also valid now. */
    function isHeld(kind: Kind, finding: Finding['kind'], column: string): Query {
      const { table } = KINDS[kind];
      const held = sql({ held: table }).whereRaw('held.id = ??', [column]).where({ 'held.deleted': 0 });
      if (kind === 'node') void held.whereNot({ 'held.status': 'superseded' });
      if (finding === 'contradiction')
        void held.where((open) => open.whereNull('held.valid_to').orWhere('held.valid_to', '>', now()));
      return held.select(sql.raw('1'));
    }

    /** What the checks found of a kind, oldest record first. */
    function found(record_kind: Kind, kind: 'duplicate' | 'contradiction' | 'junk'): Query {
      const rows = sql('memory_findings')
        .where({ workspace_id, kind, record_kind })
        .whereExists(isHeld(record_kind, kind, 'record_id'))
        .whereNotIn('record_id', unchecked().select('record_id'))
        .orderBy('record_id');
      if (kind !== 'junk')
        void rows
          .whereExists(isHeld(record_kind, kind, 'other_id'))
          .whereNotIn('other_id', unchecked().select('record_id'))
          .orderBy('other_id')
          .limit(MAX_PAIRS);
      return kind === 'duplicate' ? exceptKeptApart(sql, rows) : rows;
    }
    const pairs = async (kind: Kind, of: 'duplicate' | 'contradiction'): Promise<Pair[]> =>
      (
        (await found(kind, of).select('record_id', 'other_id')) as Array<{
          record_id: string;
          other_id: string;
        }>
      ) //
        .map(({ record_id, other_id }) => [record_id, other_id]);

    /** The nodes with duplicates that are valid now, and not disputed: to merge one into another node ends what holds. */
    async function repeatedInForce(): Promise<ReadonlySet<string>> {
      const pair = { workspace_id, kind: 'duplicate', record_kind: 'node' };
      const ids = (column: string) => sql('memory_findings').where(pair).select(column);
      const held = living('node').whereIn('status', ['active', 'verified']);
      const nodes = validAt(held, now()).where((either) =>
        either.whereIn('id', ids('record_id')).orWhereIn('id', ids('other_id')),
      );
      return new Set((await nodes.pluck('id')) as string[]);
    }

    async function duplicates(kind: Kind): Promise<Untitled[]> {
      const apart = await readKeptApart(sql, workspace_id);
      const sets = groupDuplicates(await pairs(kind, 'duplicate'), apart);
      const held = kind === 'node' && sets.length > 0 ? await repeatedInForce() : new Set<string>();
      return sets.map((set) => {
        const ids = set.slice(0, MAX_MERGED);
        const shown = ids.length < set.length ? `, the first ${ids.length} of them here` : '';
        const keep = ids.find((id) => held.has(id)) ?? String(ids[0]);
        return {
          kind: 'duplicate',
          record_kind: kind,
          ids,
          reason: `${set.length} ${kind}s say the same${shown}`,
          suggestion: `memory_merge with ids ${ids.join(', ')} and keep ${keep}; memory_keep_apart where they are not the same`,
        };
      });
    }

    async function contradictions(): Promise<Untitled[]> {
      const groups = new UnionFind();
      for (const [a, b] of await pairs('node', 'contradiction')) groups.join(a, b);
      for (const [first, ...others] of await sameTitles())
        for (const other of others) groups.join(first ?? other, other);
      const resembling = groups.sets().map((ids) => ({
        ids,
        reason:
          'nodes that are held true at once resemble each other and differ in a number, a negation or their content',
      }));
      const stated = (await contradictingEdges())
        .filter(([a, b]) => !groups.areJoined(a, b))
        .map(([a, b]) => ({
          ids: [a, b].sort(),
          reason: 'an edge says that they contradict each other, and both are held true',
        }));
      const suggestion =
        'read them with memory_get_node; then memory_supersede_node the one that no longer holds';
      return [...resembling, ...stated].map((each) => ({
        kind: 'contradiction',
        record_kind: 'node',
        ...each,
        suggestion,
      }));
    }

    async function contradictingEdges(): Promise<Pair[]> {
      const rows = (await livingEdges(sql, [workspace_id])
        .where({ workspace_id, relation_type: 'contradicts' })
        .whereExists(isHeld('node', 'contradiction', 'source_node_id'))
        .whereExists(isHeld('node', 'contradiction', 'target_node_id'))
        .orderBy('id')
        .limit(MAX_FINDINGS)
        .select('source_node_id', 'target_node_id')) as Array<{
        source_node_id: string;
        target_node_id: string;
      }>;
      const both = new Map(
        rows.map(({ source_node_id: a, target_node_id: b }): [string, Pair] => [
          [a, b].sort().join(),
          [a, b],
        ]),
      );
      return [...both.values()]; // said in both directions, it is one contradiction
    }

    /** Groups of nodes of one type and title that are in force, with contents that differ. */
    async function sameTitles(): Promise<string[][]> {
      const open = () => living('node').whereNull('valid_to').whereNot({ status: 'superseded' });
      const key = "lower(title), node_type, coalesce(project_id, '')";
      const shared = open().groupByRaw(key).havingRaw('count(distinct content) > 1').select(sql.raw(key));
      const rows = (await open()
        .whereRaw(`(${key}) IN (?)`, [shared])
        .orderBy('id')
        .limit(MAX_FINDINGS)
        .select('id', 'title', 'node_type', 'project_id', 'content')) as Array<
        Readonly<Record<'id' | 'title' | 'node_type' | 'content', string>> & { project_id: string | null }
      >;
      const groups = new Map<string, typeof rows>();
      for (const row of rows) {
        const key = JSON.stringify([row.title.toLowerCase(), row.node_type, row.project_id]);
        groups.set(key, [...(groups.get(key) ?? []), row]);
      }
      return [...groups.values()]
        .filter((group) => new Set(group.map(({ content }) => content)).size > 1)
        .map((group) => group.map(({ id }) => id));
    }

    async function junk(kind: Kind): Promise<Untitled[]> {
      const rows = (await found(kind, 'junk').limit(MAX_FINDINGS).select('record_id', 'reason')) as Array<{
        record_id: string;
        reason: string;
      }>;
      return rows.map(({ record_id: id, reason }) => {
        const suggestion = `memory_delete_many with ids ${id}, or say more with memory_update_${kind}`;
        return { kind: 'junk', record_kind: kind, ids: [id], reason, suggestion };
      });
    }

    async function stale(): Promise<Untitled[]> {
      const expired = (await living('node')
        .where('valid_to', '<', now())
        .whereIn('status', ['active', 'verified'])
        .orderBy('id')
        .limit(MAX_FINDINGS)
        .select('id', 'valid_to')) as Array<{ id: string; valid_to: string }>;
      const findings = expired.map(({ id, valid_to }): Untitled => ({
        kind: 'stale',
        record_kind: 'node',
        ids: [id],
        reason: `its validity ended at ${valid_to}, and nothing has taken its place`,
        suggestion: 'memory_supersede_node with what is true now, or memory_delete_node',
      }));
      return [...findings, ...(await withoutCode())];
    }

    /** Nodes in force all of whose code is gone. */
    async function withoutCode(): Promise<Untitled[]> {
      const gone: Untitled[] = [];
      for (let after = '', read = 0; read < MAX_READ && gone.length < MAX_FINDINGS; read += MAX_FINDINGS) {
        const rows = (await living('node')
          .where('id', '>', after)
          .whereNull('valid_to')
          .whereNot({ status: 'superseded' })
          .whereNot({ code_refs: '[]' })
          .orderBy('id')
          .limit(MAX_FINDINGS)
          .select('id', 'project_id', 'code_refs')) as AboutCode[];
        gone.push(...(await goneAmong(rows)));
        const last = rows.at(-1);
        if (!last) break;
        after = last.id;
      }
      return gone.slice(0, MAX_FINDINGS);
    }

    async function goneAmong(rows: readonly AboutCode[]): Promise<Untitled[]> {
      const nodes = rows.map(({ code_refs, ...node }) => ({
        ...node,
        paths: (JSON.parse(code_refs) as CheckedCodeRefs).map(({ path }) => path),
      }));
      const existing = new Map<string | null, ReadonlyMap<string, string>>();
      for (const projectId of new Set(rows.map(({ project_id }) => project_id))) {
        const own = nodes.filter(({ project_id }) => project_id === projectId);
        const paths = [...new Set(own.flatMap((node) => node.paths))];
        const scope = { workspaceId: workspace_id, ...(projectId !== null && { projectId }) };
        existing.set(projectId, await projects.currentPaths(scope, paths));
      }
      return nodes
        .filter(({ project_id, paths }) => !paths.some((path) => existing.get(project_id)?.has(path)))
        .map(({ id, paths }) => ({
          kind: 'stale',
          record_kind: 'node',
          ids: [id],
          reason: `the code that it is about is gone: ${paths.slice(0, 3).join(', ')}`,
          suggestion: 'memory_update_node with where the code is now, or memory_supersede_node',
        }));
    }

    /** The findings of a page with the titles of their records, which a deletion may have taken meanwhile. */
    async function withTitles(findings: readonly Untitled[]): Promise<Finding[]> {
      const titles = new Map<string, string>();
      for (const kind of ['event', 'node'] as const) {
        const ids = findings.flatMap((each) => (each.record_kind === kind ? each.ids : []));
        if (ids.length === 0) continue;
        const rows = (await living(kind).whereIn('id', ids).select('id', 'title')) as Array<{
          id: string;
          title: string;
        }>;
        for (const { id, title } of rows) titles.set(id, title);
      }
      return findings.map((each) => ({ ...each, titles: each.ids.map((id) => titles.get(id) ?? '') }));
    }

    return {
      async report({ page, per_page, kind }) {
        const end = performance.now() + MAX_CHECK_MS;
        for (let batch = 0; batch < MAX_BATCHES && performance.now() < end; batch++)
          if ((await checkRecords(database, workspace_id)) === 0) break;
        const all = [
          ...(await duplicates('event')),
          ...(await duplicates('node')),
          ...(await contradictions()),
          ...(await junk('event')),
          ...(await junk('node')),
          ...(await stale()),
        ];
        const counts = { duplicate: 0, contradiction: 0, junk: 0, stale: 0 };
        for (const each of all) counts[each.kind] += 1;
        const wanted = kind === undefined ? all : all.filter((each) => each.kind === kind);
        const from = (page - 1) * per_page;
        const items = await withTitles(wanted.slice(from, from + per_page));
        const waiting = await countRows(unchecked());
        return { ...pageOf(items, wanted.length, { page, per_page }), counts, unchecked: waiting };
      },
    };
  },
});
