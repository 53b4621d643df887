import { CallAdmission, Clock, Database, pageOf, provideForCall, token } from '@service-mcp/core';
import type { PageOf, PageRequest } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Finding } from '../answers.js';
import type { CheckedCodeRefs } from '../schemas.js';
import { DUPLICATE } from './duplicates.js';
import { junkReason } from './junk.js';
import { KINDS, type Kind } from './kinds.js';
import { differInFact, shinglesOf, similarity } from './similarity.js';

/** What in the memory of a workspace deserves a look; found without any model. */
export interface Hygiene {
  report(request: PageRequest): Promise<PageOf<Finding>>;
}
export const Hygiene = token<Hygiene>('memory.Hygiene');

/** Findings of each kind, and the records that are compared for them, at most. */
const MAX_FINDINGS = 1000;
const MAX_ALIKE = 5000;
/** Nodes as similar as this that differ in a number or a negation contradict each other. */
const RESEMBLING = 0.5;
const SHORT = 60;

interface Row {
  readonly id: string;
  readonly project_id: string | null;
  readonly title: string;
  readonly content: string;
  readonly band?: number;
}
type ShingledRow = Row & { readonly shingles: ReadonlySet<number> };

export const hygiene = provideForCall(Hygiene, {
  uses: { database: Database, clock: Clock, projects: ProjectDirectory, admission: CallAdmission },
  create({ database: { sql }, clock, projects, admission }): Hygiene {
    const { workspaceId: workspace_id } = admission;
    const living = (kind: Kind) => sql(KINDS[kind].table).where({ workspace_id, deleted: 0 });
    const now = () => clock.now().toISOString();

    /** Groups of living records that share a band, oldest first. */
    async function alike(kind: Kind): Promise<ShingledRow[][]> {
      const shared = sql('memory_bands')
        .where({ workspace_id })
        .groupBy('band')
        .havingRaw('count(*) > 1')
        .select('band');
      const records = living(kind).select('id', 'project_id', 'title', 'content').as('records');
      if (kind === 'node') void records.whereNot({ status: 'superseded' });
      const rows = (await sql('memory_bands')
        .where({ workspace_id })
        .whereIn('band', shared)
        .join(records, 'records.id', 'memory_bands.record_id')
        .orderBy('band')
        .orderBy('id')
        .limit(MAX_ALIKE)
        .select('band', 'records.*')) as Row[];
      const byBand = new Map<string, ShingledRow[]>();
      const shingled = new Map<string, ReadonlySet<number>>();
      for (const row of rows) {
        const shingles = shingled.get(row.id) ?? shinglesOf(row);
        shingled.set(row.id, shingles);
        const key = `${String(row.band)} ${row.project_id ?? ''}`;
        const group = byBand.get(key);
        if (group) group.push({ ...row, shingles });
        else byBand.set(key, [{ ...row, shingles }]);
      }
      return [...byBand.values()].filter((group) => group.length > 1);
    }

    async function compared(kind: Kind): Promise<Finding[]> {
      const duplicates = new Groups();
      const contradictions = new Groups();
      for (const [first, ...others] of await alike(kind)) {
        if (!first) continue;
        for (const other of others) {
          const alikeness = similarity(first.shingles, other.shingles);
          if (!differInFact(first, other)) {
            if (alikeness >= DUPLICATE) duplicates.join(first.id, other.id);
          } else if (kind === 'node' && alikeness >= RESEMBLING) contradictions.join(first.id, other.id);
        }
      }
      for (const [first, ...others] of kind === 'node' ? await sameTitles() : [])
        for (const other of others) contradictions.join(first ?? other, other);
      return [
        ...duplicates.all().map((ids): Finding => ({
          kind: 'duplicate',
          ids,
          reason: `${ids.length} ${kind}s say the same`,
          suggestion: `memory_merge with ids ${ids.join(', ')} and keep ${String(ids[0])}`,
        })),
        ...contradictions.all().map((ids): Finding => ({
          kind: 'contradiction',
          ids,
          reason:
            'nodes that are held true at once resemble each other and differ in a number, a negation or their content',
          suggestion:
            'read them with memory_get_node; then memory_supersede_node the one that no longer holds',
        })),
      ];
    }

    /** Groups of nodes of one type and title that are in force, with contents that differ. */
    async function sameTitles(): Promise<string[][]> {
      const open = () => living('node').whereNull('valid_to').whereNot({ status: 'superseded' });
      const title = sql.raw('lower(title)');
      const shared = open().groupBy(title).havingRaw('count(distinct content) > 1').select(title);
      const rows = (await open()
        .whereRaw('lower(title) IN (?)', [shared])
        .orderBy('id')
        .limit(MAX_FINDINGS)
        .select('id', 'title', 'node_type', 'project_id', 'content')) as Array<Row & { node_type: string }>;
      const groups = new Map<string, Row[]>();
      for (const row of rows) {
        const key = JSON.stringify([row.title.toLowerCase(), row.node_type, row.project_id]);
        groups.set(key, [...(groups.get(key) ?? []), row]);
      }
      return [...groups.values()]
        .filter((group) => new Set(group.map(({ content }) => content)).size > 1)
        .map((group) => group.map(({ id }) => id));
    }

    async function junk(kind: Kind): Promise<Finding[]> {
      const rows = (await living(kind)
        .where((suspect) =>
          suspect
            .whereRaw('length(content) < ?', [SHORT])
            .orWhereRaw('content = title')
            .orWhereRaw("lower(content) LIKE '%lorem ipsum%'"),
        )
        .orderBy('id')
        .limit(MAX_ALIKE)
        .select('id', 'title', 'content')) as Row[];
      return rows.flatMap((row): Finding[] => {
        const reason = junkReason(row);
        if (reason === undefined) return [];
        const suggestion = `memory_delete_many with ids ${row.id}, or say more with memory_update_${kind}`;
        return [{ kind: 'junk', ids: [row.id], reason, suggestion }];
      });
    }

    async function stale(): Promise<Finding[]> {
      const expired = (await living('node')
        .where('valid_to', '<', now())
        .whereIn('status', ['active', 'verified'])
        .orderBy('id')
        .limit(MAX_FINDINGS)
        .select('id', 'valid_to')) as Array<{ id: string; valid_to: string }>;
      const found = expired.map(({ id, valid_to }): Finding => ({
        kind: 'stale',
        ids: [id],
        reason: `its validity ended at ${valid_to}, and nothing has taken its place`,
        suggestion: 'memory_supersede_node with what is true now, or memory_delete_node',
      }));
      return [...found, ...(await withoutCode())];
    }

    /** Nodes in force all of whose code is gone. */
    async function withoutCode(): Promise<Finding[]> {
      const rows = (await living('node')
        .whereNull('valid_to')
        .whereNot({ status: 'superseded' })
        .whereNot({ code_refs: '[]' })
        .orderBy('id')
        .limit(MAX_FINDINGS)
        .select('id', 'project_id', 'code_refs')) as Array<{
        id: string;
        project_id: string | null;
        code_refs: string;
      }>;
      const findings: Finding[] = [];
      for (const { id, project_id, code_refs } of rows) {
        const paths = (JSON.parse(code_refs) as CheckedCodeRefs).map(({ path }) => path);
        const scope = { workspaceId: workspace_id, ...(project_id !== null && { projectId: project_id }) };
        if ((await projects.existingPaths(scope, paths)).size > 0) continue;
        findings.push({
          kind: 'stale',
          ids: [id],
          reason: `the code that it is about is gone: ${paths.slice(0, 3).join(', ')}`,
          suggestion: 'memory_update_node with where the code is now, or memory_supersede_node',
        });
      }
      return findings;
    }

    return {
      async report({ page, per_page }) {
        const all = [
          ...(await compared('event')),
          ...(await compared('node')),
          ...(await junk('event')),
          ...(await junk('node')),
          ...(await stale()),
        ];
        const from = (page - 1) * per_page;
        return pageOf(all.slice(from, from + per_page), all.length, { page, per_page });
      },
    };
  },
});

/** Sets of ids that grow together (union-find). */
class Groups {
  readonly #parents = new Map<string, string>();

  #root(id: string): string {
    const parent = this.#parents.get(id);
    if (parent === undefined || parent === id) return id;
    const root = this.#root(parent);
    this.#parents.set(id, root);
    return root;
  }

  join(a: string, b: string): void {
    const [first, second] = [this.#root(a), this.#root(b)].sort();
    if (first === undefined || second === undefined) return;
    this.#parents.set(first, first);
    this.#parents.set(second, first);
  }

  /** Each group in order of id, which is that of time. */
  all(): string[][] {
    const groups = new Map<string, string[]>();
    for (const id of [...this.#parents.keys()].sort()) {
      const root = this.#root(id);
      const group = groups.get(root);
      if (group) group.push(id);
      else groups.set(root, [id]);
    }
    return [...groups.values()];
  }
}
