import { ServiceError, invalidArgument, plural, projectPath } from '@service-mcp/core';
import type { SymbolKind } from '@service-mcp/plugin-syntax/contract';
import { EDGE_KINDS } from './file-part.js';
import { nearestNames } from './nearest-names.js';
import type { ProjectGraph } from './project-graph.js';
import type { GraphIndex } from './project-graphs.js';

const KINDS_OF_TYPE = {
  module: ['module'],
  function: ['function', 'method'],
  type: ['class', 'interface', 'type', 'enum'],
  variable: ['variable'],
} as const satisfies Record<string, readonly SymbolKind[]>;

export type TargetType = keyof typeof KINDS_OF_TYPE;
export const TARGET_TYPES = Object.keys(KINDS_OF_TYPE) as TargetType[]; // its keys

const IMPLEMENTS = EDGE_KINDS.indexOf('implements');

/** A symbol that a caller names: by id, or by name, narrowed by path. */
export interface Target {
  readonly type: TargetType;
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly name?: string | undefined;
}

const MAX_CANDIDATES = 20;
/** Candidates in the message itself. */
const MAX_NAMED = 8;
/** Ids that the refusal of an unknown target names. */
const MAX_SIMILAR = 5;

/**
 * The node of a target; `argument` is its name in the request, which the details of a refusal name. Throws CONFLICT with
 * the candidates if several match, NOT_FOUND with the nearest names if none does, INVALID_ARGUMENT for a target without a
 * name.
 */
export function findTarget(graph: ProjectGraph, index: GraphIndex, target: Target, argument: string): number {
  const { type, id, path, name } = target;
  if (id === undefined && name === undefined && (path === undefined || type !== 'module')) {
    const wanted = path === undefined ? 'give id, or name' : `give the name of the ${type} in this file`;
    throw invalidArgument(
      `/${argument}`,
      `${wanted}. search_hybrid finds names in files; graph_symbols lists symbols and their ids`,
    );
  }
  const found =
    id === undefined
      ? findByName(graph, type, path, name)
      : [graph.node(id) ?? graph.node(projectPath(id)) ?? -1];
  const nodes = found.filter((node) => node >= 0);
  const [only, second] = nodes;
  if (only === undefined) throw missing(graph, index, target, argument);
  if (second === undefined) return only;
  const named = nodes.slice(0, MAX_NAMED).map((node) => placed(graph, node));
  const more = nodes.length > named.length ? ', …' : '';
  const isOneFile = nodes.every((node) => graph.partOf[node] === graph.partOf[only]);
  throw new ServiceError(
    'CONFLICT',
    `${nodes.length} symbols match ${(name ?? path ?? '').slice(0, 200)}: ${named.join(', ')}${more}. Name one by its id${isOneFile ? '' : ', or add its path'}.`,
    {
      details: {
        argument,
        candidates: nodes.slice(0, MAX_CANDIDATES).map((node) => candidate(graph, node)),
        total: nodes.length,
      },
    },
  );
}

function findByName(graph: ProjectGraph, type: TargetType, path?: string, name?: string): number[] {
  const files = path === undefined ? undefined : graph.filesAt(projectPath(path));
  if (name === undefined) return (files ?? []).map((part) => graph.starts[part]!);
  const wanted = name.replaceAll(/::|(?<=\w)[#\\]/g, '.');
  const modules = type === 'module' && files === undefined ? graph.filesAt(projectPath(name)) : [];
  if (modules.length > 0) return modules.map((part) => graph.starts[part]!);
  const kinds: readonly string[] = KINDS_OF_TYPE[type];
  const last = wanted.slice(wanted.lastIndexOf('.') + 1).replace(/~\d+$/, '');
  const named = (graph.names().get(last) ?? [])
    .filter(
      (node) => kinds.includes(graph.symbol(node).kind) && fits(graph.symbol(node).qualifiedName, wanted),
    )
    .filter((node) => files === undefined || files.includes(graph.partOf[node]!));
  const declared = named.filter((node) => !isStubOf(graph, node, named));
  const exact = declared.filter((node) => writtenAs(graph.symbol(node).qualifiedName, wanted) === wanted);
  const found = files?.length === 1 && exact.length > 0 ? exact : declared;
  const implementation =
    type === 'function' ? found.find((node) => implementsAll(graph, node, found)) : undefined;
  return implementation === undefined ? found : [implementation];
}

/** True for the function among the signatures that it is overloaded with. */
function implementsAll({ rows }: ProjectGraph, node: number, named: readonly number[]): boolean {
  if (named.length < 2) return false;
  const signatures = new Set<number>();
  for (let edge = rows.out[node]!; edge < rows.out[node + 1]!; edge++)
    if (rows.kinds[edge] === IMPLEMENTS) signatures.add(rows.targets[edge]!);
  return named.every((each) => each === node || signatures.has(each));
}

/** True for the symbol of a stub of Python, where its source is named as well: `store.pyi` beside `store.py`. */
function isStubOf(graph: ProjectGraph, node: number, named: readonly number[]): boolean {
  const path = graph.path(node);
  if (!path.endsWith('.pyi')) return false;
  return named.some((each) => graph.path(each) === path.slice(0, -1));
}

/** Whether some file has a symbol of this type and name. */
function hasNamed(graph: ProjectGraph, type: TargetType, name: string | undefined): boolean {
  return name !== undefined && findByName(graph, type, undefined, name).length > 0;
}

/** True when it is the name or ends with it: `Store.get` for `get`, `shop.Store.get~2` for `Store.get`. */
function fits(qualifiedName: string, name: string): boolean {
  const known = writtenAs(qualifiedName, name);
  return known === name || known.endsWith(`.${name}`);
}

/** A qualified name, with the numbers of symbols of equal names only where the wanted name has some. */
function writtenAs(qualifiedName: string, name: string): string {
  return name.includes('~') ? qualifiedName : qualifiedName.replaceAll(/~\d+/g, '');
}

/** The id, with the line of a symbol in a file. */
function placed(graph: ProjectGraph, node: number): string {
  return graph.isModule(node) ? graph.id(node) : `${graph.id(node)} (line ${graph.symbol(node).startLine})`;
}

function candidate(graph: ProjectGraph, node: number): Readonly<Record<string, unknown>> {
  const { kind, qualifiedName, startLine } = graph.symbol(node);
  const path = graph.path(node);
  return { id: graph.id(node), kind, qualified_name: qualifiedName, path, start_line: startLine };
}

function missing(
  graph: ProjectGraph,
  index: GraphIndex,
  { type, id, path, name }: Target,
  argument: string,
): ServiceError {
  const wanted = id ?? [path, name].filter(Boolean).join('#');
  const folder =
    type === 'module' ? `${projectPath(id ?? path ?? name ?? '').replace(/(?<!\/)\/+$/, '')}/` : '/';
  const inside = graph.parts.flatMap((part, i) => (part.path.startsWith(folder) ? graph.starts[i]! : []));
  const near = inside.length > 0 ? inside.slice(0, MAX_SIMILAR) : nearestNames(graph, wanted);
  const suggestions = near.map((node) => candidate(graph, node));
  const ids = suggestions.map((one) => String(one['id']));
  const waits =
    index.state === 'ready' || index.state === 'empty'
      ? []
      : [
          `The index of this project is ${index.state}, with ${plural(index.pending, 'file')} pending: try again when it is ready (projects_index_status).`,
        ];
  const other = TARGET_TYPES.find((one) => one !== type && id === undefined && hasNamed(graph, one, name));
  const similar = ids.slice(0, MAX_SIMILAR).join(', ');
  const message = [
    `There is no ${type} ${wanted.slice(0, 200)} in the graph of this project.`,
    ...(other === undefined ? [] : [`There is a ${other} of that name: ask for {"type":"${other}"}.`]),
    ...waits,
    ...(inside.length > 0
      ? [`It is a folder of ${plural(inside.length, 'module')}, such as ${similar}.`]
      : ids.length > 0
        ? [`Similar: ${similar}.`]
        : []),
    'search_hybrid finds names in files; graph_symbols lists symbols.',
  ];
  return new ServiceError('NOT_FOUND', message.join(' '), {
    details: { argument, suggestions, index: { ...index } },
  });
}
