import { ServiceError } from './error.js';
import { post, record, type CallOptions, type ConnectionOptions } from './wire.js';

/** A toolset as it was when the client was generated. */
export interface Toolset {
  /** The requested toolset: `light`, `standard`, `complete`, or names of toolsets. */
  readonly name: string;
  /** SHA-256 over the canonical JSON of names and schemas, in hexadecimal. */
  readonly hash: string;
  /** Name and hash of each tool, sorted by name. */
  readonly tools: readonly (readonly [name: string, hash: string])[];
}

/** The service's toolset differs from the one that the client was generated for. */
export class ToolsetMismatch extends ServiceError {
  override readonly name: string = 'ToolsetMismatch';
  /** Tools that the service does not list: removed, or not for this key. */
  readonly missing: readonly string[];
  /** Tools with other schemas. */
  readonly changed: readonly string[];
  /** Tools that the client does not know. */
  readonly added: readonly string[];

  constructor(toolset: string, differences: Pick<ToolsetMismatch, 'missing' | 'changed' | 'added'>) {
    const words = Object.entries(differences)
      .filter(([, names]) => names.length > 0)
      .map(([what, names]) => `${what}: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`);
    super(
      'TOOLSET_MISMATCH',
      `The service's toolset ${toolset} is not the one this client was generated for (${words.join('; ')}). Run service-mcp codegen again, or accept the difference with onMismatch.`,
      { details: differences },
    );
    this.missing = differences.missing;
    this.changed = differences.changed;
    this.added = differences.added;
  }
}

/** A tool of `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** The whole entry: title, description, annotations. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** More than any service has: an endless list is refused. */
const MAX_PAGES = 200;

/** The tools that a service lists for the key, sorted by name. */
export async function listTools(
  connection: ConnectionOptions,
  toolset: string,
  options: CallOptions = {},
): Promise<readonly ListedTool[]> {
  const tools = new Map<string, ListedTool>();
  let cursor: unknown;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const _meta = { 'service-mcp/whole-schemas': true };
    const params = cursor === undefined ? { _meta } : { _meta, cursor };
    const page = await post(connection, toolset, { method: 'tools/list', params }, options);
    for (const entry of Array.isArray(page['tools']) ? (page['tools'] as unknown[]) : [undefined]) {
      const about = record(entry);
      const inputSchema = record(about?.['inputSchema']);
      const outputSchema = record(about?.['outputSchema']);
      const name = about?.['name'];
      if (about === undefined || typeof name !== 'string' || inputSchema === undefined || tools.has(name))
        throw new ServiceError('UNEXPECTED_REPLY', `The server at ${connection.url} lists no tools.`);
      tools.set(name, { name, inputSchema, ...(outputSchema && { outputSchema }), about });
    }
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    cursor = nextCursor;
  }
  throw new ServiceError('UNEXPECTED_REPLY', `The server at ${connection.url} lists tools without end.`);
}

/** The hashes of a toolset. Tools come sorted by name. */
export async function hashTools(name: string, tools: readonly ListedTool[]): Promise<Toolset> {
  const contracts = tools.map(({ name: tool, inputSchema, outputSchema }) => ({
    name: tool,
    inputSchema,
    outputSchema,
  }));
  const each = contracts.map(async (contract) => [contract.name, await sha256(canonical(contract))] as const);
  return { name, hash: await sha256(canonical(contracts)), tools: await Promise.all(each) };
}

/** Throws ToolsetMismatch where the tools are not those of `expected`. */
export async function assertToolset(expected: Toolset, listed: readonly ListedTool[]): Promise<void> {
  const { hash, tools } = await hashTools(expected.name, listed);
  if (hash === expected.hash) return;
  const now = new Map(tools);
  const before = new Map(expected.tools);
  throw new ToolsetMismatch(expected.name, {
    missing: expected.tools.map(([name]) => name).filter((name) => !now.has(name)),
    changed: expected.tools.filter(([name, was]) => (now.get(name) ?? was) !== was).map(([name]) => name),
    added: tools.map(([name]) => name).filter((name) => !before.has(name)),
  });
}

/** JSON with sorted keys, because servers and clients reorder them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = record(value);
  if (object === undefined) return JSON.stringify(value);
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`);
  return `{${members.join(',')}}`;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
