import {
  CallAdmission,
  Clock,
  Database,
  provideForCall,
  token,
  type Query,
  type Sql,
} from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Decision } from '../answers.js';
import type { CheckedCodeRefs } from '../schemas.js';
import { pathKey } from './code-places.js';
import { References } from './code-refs.js';
import { KINDS, type Kind } from './kinds.js';
import { replacementsById } from './replacements.js';
import { firstSentence } from './sentences.js';
import { validAt } from './validity.js';

/** A file, or a symbol in it by its qualified name. */
export interface CodePlace {
  readonly path: string;
  readonly symbol?: string;
}

/** A decision in force, with its references that match. */
export interface CodeDecision extends Pick<
  Decision,
  'id' | 'title' | 'summary' | 'status' | 'decided_at' | 'perhaps_replaced_by'
> {
  readonly kind: Kind;
  readonly content: string;
  readonly places: readonly CodePlace[];
}

/** Two nodes that are about the same code. */
export interface SharedCode {
  readonly source_node_id: string;
  readonly target_node_id: string;
  /** Shared symbols and files, divided by the most that either node is about: 0 to 1. */
  readonly weight: number;
}

/** Memory by the code that it is about, for the workspaces of one call. */
export interface KnowledgeByCode {
  /**
   * Decisions in force of a project, or of no project, that are about one of up to 500 places, the newest first. A
   * decision about a file is about all its symbols; one about a symbol is about the symbols inside it. `total` counts up
   * to 1,000.
   */
  decisions(
    scope: { readonly workspaceId: string; readonly projectId: string },
    places: readonly CodePlace[],
    limit: number,
  ): Promise<{ readonly items: readonly CodeDecision[]; readonly total: number }>;
  /** Nodes that share code with any of these (up to 1,000 ids), the most first, up to `limit`. */
  sharing(nodeIds: readonly string[], limit: number): Promise<readonly SharedCode[]>;
}
export const KnowledgeByCode = token<KnowledgeByCode>('memory.ByCode');

const MAX_SUMMARY = 300;
/** Records of one file, and of all places. */
const MAX_RECORDS = 1000;

interface Row {
  readonly id: string;
  readonly kind: Kind;
  readonly project_id: string | null;
  readonly title: string;
  readonly content: string;
  readonly status: Decision['status'];
  readonly decided_at: string;
  readonly code_refs: string;
}

interface NodeRow extends Pick<Row, 'id' | 'project_id' | 'code_refs'> {
  readonly workspace_id: string;
}

export const knowledgeByCode = provideForCall(KnowledgeByCode, {
  uses: {
    database: Database,
    clock: Clock,
    projects: ProjectDirectory,
    references: References,
    admission: CallAdmission,
  },
  create({ database: { sql }, clock, projects, references, admission: { workspaceIds } }): KnowledgeByCode {
    /** References of living nodes as they are now, by the ids of the nodes. */
    async function refsOf(ids: readonly string[]): Promise<Map<string, CheckedCodeRefs>> {
      const rows = (await sql('memory_nodes')
        .whereIn('id', ids)
        .whereIn('workspace_id', workspaceIds)
        .where({ deleted: 0 })
        .whereNot({ code_refs: '[]' })
        .orderBy('id')
        .select('id', 'workspace_id', 'project_id', 'code_refs')) as NodeRow[];
      const nodes = rows.map((row) => ({ ...row, code_refs: JSON.parse(row.code_refs) as CheckedCodeRefs }));
      return new Map((await references.current(nodes)).map(({ id, code_refs }) => [id, code_refs]));
    }

    return {
      async decisions({ workspaceId, projectId }, places, limit) {
        if (!workspaceIds.includes(workspaceId) || places.length === 0) return { items: [], total: 0 };
        const wanted = placesByPath(places);
        const scope = { workspaceId, projectId };
        const moved = await projects.formerPaths(scope, [...wanted.keys()]);
        for (const [former, path] of moved) wanted.set(former, wanted.get(path) ?? new Set());
        const about = sql('memory_code_places')
          .where({ workspace_id: workspaceId })
          .whereIn('path_key', [...wanted.keys()].map(pathKey))
          .distinct('record_id');
        const now = clock.now().toISOString();
        const rows = [
          ...(await decisionsIn(sql, 'node', about, now)),
          ...(await decisionsIn(sql, 'event', about, now)),
        ];
        const found = rows
          .filter(({ project_id }) => project_id === null || project_id === projectId)
          .flatMap((row) => decisionAbout(row, wanted, moved))
          .sort((a, b) => (a.decided_at < b.decided_at ? 1 : a.decided_at > b.decided_at ? -1 : 0));
        const shown = found.slice(0, limit);
        const ids = shown.map(({ id }) => id);
        const replaced = await replacementsById(sql, workspaceId, ids, new Date(now));
        const items = shown.map((decision) => {
          return { ...decision, perhaps_replaced_by: replaced.get(decision.id)?.id ?? null };
        });
        return { items, total: found.length };
      },

      async sharing(nodeIds, limit) {
        const own = await refsOf(nodeIds);
        const paths = [...new Set([...own.values()].flat().map(({ path }) => path))];
        for (const workspaceId of own.size > 0 ? workspaceIds : [])
          paths.push(...(await projects.formerPaths({ workspaceId }, paths)).keys());
        const keys = [...new Set(paths.map(pathKey))];
        const others = (await sql('memory_code_places')
          .whereIn('workspace_id', workspaceIds)
          .whereIn('path_key', keys.slice(0, MAX_RECORDS))
          .distinct('record_id')
          .orderBy('record_id', 'desc')
          .limit(MAX_RECORDS)
          .pluck('record_id')) as string[];
        const refs = await refsOf(others);
        const asked = new Set(nodeIds);
        const shared: SharedCode[] = [];
        for (const [source_node_id, mine] of own) {
          for (const [target_node_id, theirs] of refs) {
            if (asked.has(target_node_id) && target_node_id <= source_node_id) continue; // once for two that were asked for
            const weight = overlap(mine, theirs);
            if (weight > 0) shared.push({ source_node_id, target_node_id, weight });
          }
        }
        return shared
          .sort((a, b) => b.weight - a.weight || (a.target_node_id < b.target_node_id ? 1 : -1))
          .slice(0, limit);
      },
    };
  },
});

/** The decisions in force among records. */
async function decisionsIn(sql: Sql, kind: Kind, ids: Query, now: string): Promise<Row[]> {
  const { table, time, type } = KINDS[kind];
  const rows = sql(table)
    .whereIn('id', ids)
    .where({ deleted: 0, [type]: 'decision' })
    .orderBy(time, 'desc')
    .limit(MAX_RECORDS)
    .select('id', 'project_id', 'title', 'content', 'code_refs', { decided_at: time });
  if (kind === 'node') void validAt(rows, now).whereIn('status', ['active', 'verified']).select('status');
  const found = (await rows) as Array<Omit<Row, 'kind' | 'status'> & Partial<Pick<Row, 'status'>>>;
  return found.map((row) => ({ ...row, kind, status: row.status ?? 'active' }));
}

function placesByPath(places: readonly CodePlace[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { path, symbol } of places) {
    const symbols = wanted.get(path) ?? new Set();
    wanted.set(path, symbols.add(symbol ?? ''));
  }
  return wanted;
}

/** `moved`: where files are now whose former paths are wanted too. */
function decisionAbout(
  row: Row,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  moved: ReadonlyMap<string, string>,
): Omit<CodeDecision, 'perhaps_replaced_by'>[] {
  const { id, kind, title, content, status, decided_at } = row;
  const refs = JSON.parse(row.code_refs) as CheckedCodeRefs;
  const places = refs
    .filter(({ path, symbol }) => isWanted(symbol, wanted.get(path)))
    .map(({ path, symbol }) => ({ path: moved.get(path) ?? path, ...(symbol !== undefined && { symbol }) }));
  if (places.length === 0) return [];
  const summary = firstSentence(content, MAX_SUMMARY);
  return [{ id, kind, title, summary, content, status, decided_at, places }];
}

function isWanted(symbol: string | undefined, wanted: ReadonlySet<string> | undefined): boolean {
  if (!wanted) return false;
  if (symbol === undefined || wanted.has('') || wanted.has(symbol)) return true;
  return [...wanted].some((each) => each.startsWith(`${symbol}.`));
}

/** A shared symbol counts 1, a shared file half. */
function overlap(a: CheckedCodeRefs, b: CheckedCodeRefs): number {
  const [symbols, files] = [new Set(b.map(keyOf)), new Set(b.map(({ path }) => path))];
  let shared = 0;
  for (const ref of a) shared += symbols.has(keyOf(ref)) ? 1 : files.has(ref.path) ? 0.5 : 0;
  return Math.min(1, shared / Math.max(a.length, b.length));
}

const keyOf = ({ path, symbol = '' }: CodePlace) => `${path}#${symbol}`;
