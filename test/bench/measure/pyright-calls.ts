import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import { grammar } from '@service-mcp/plugin-syntax/internals';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { withoutRepeats } from './graph-scores.js';
import type { Sources } from './graph-sources.js';

type Parser = Awaited<ReturnType<typeof grammar>>['parser'];
type Node = NonNullable<ReturnType<Parser['parse']>>['rootNode'];

/** A call by a name, `f(…)` or `a.f(…)`, and what Pyright says is called. */
export interface PyrightCall {
  /** Id of the innermost function around it, or of its module. */
  readonly caller: string;
  readonly name: string;
  /** Ids of functions, methods and classes of the project; of all definitions of a name, that of the first. */
  readonly targets: readonly string[];
  /** Pyright leads to what the project does not declare, or to a parameter, a variable or an alias. */
  readonly leadsElsewhere: boolean;
}

interface Place {
  readonly line: number;
  readonly character: number;
}

interface Definition {
  readonly uri: string;
  readonly range: { readonly start: Place; readonly end: Place };
}

/** Folders in which Pyright and Python packages are installed. */
interface Installed {
  readonly pyright: string;
  readonly packages: string;
}

/** Lines that decorators may take before the name of a definition: what is deeper in it is a variable. */
const DECORATORS = 12;

/** Every call by a name, as the language server of Pyright resolves it. */
export async function pyrightCalls(
  installed: Installed,
  sources: Sources,
  graphs: readonly FileGraph[],
): Promise<PyrightCall[]> {
  const { parser } = await grammar('python');
  const texts = new Map<string, string>();
  for (const path of sources.paths) texts.set(path, await readFile(join(sources.directory, path), 'utf8'));
  const symbols = new Symbols(graphs);
  const server = spawn(process.execPath, [
    join(installed.pyright, 'node_modules', 'pyright', 'langserver.index.js'),
    '--stdio',
  ]);
  try {
    const pyright = await connect(server, sources.directory, installed.packages);
    const calls: PyrightCall[] = [];
    for (const [path, text] of texts) {
      const uri = pathToFileURL(join(sources.directory, path)).href;
      const textDocument = { uri, languageId: 'python', version: 1, text };
      await pyright.sendNotification('textDocument/didOpen', { textDocument });
      for (const { name, caller } of callsOf(parser.parse(text)?.rootNode)) {
        const { row: line, column: character } = name.startPosition;
        const asked = { textDocument: { uri }, position: { line, character } };
        const found = await pyright.sendRequest<Definition[] | null>('textDocument/definition', asked);
        const ids = (found ?? []).map((definition) =>
          declared(definition, sources.directory, texts, symbols),
        );
        calls.push({
          caller: symbols.callerAt(path, caller),
          name: name.text,
          targets: ids.filter((id) => id !== undefined),
          leadsElsewhere: ids.includes(undefined),
        });
      }
    }
    pyright.dispose();
    return calls;
  } finally {
    server.kill();
  }
}

async function connect(
  server: ChildProcessWithoutNullStreams,
  directory: string,
  packages: string,
): Promise<MessageConnection> {
  const settings = { analysis: { diagnosticMode: 'openFilesOnly', extraPaths: [packages] } };
  const pyright = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  pyright.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) =>
    items.map(() => settings),
  );
  pyright.onRequest('client/registerCapability', () => null);
  pyright.onRequest('window/workDoneProgress/create', () => null);
  pyright.listen();
  const uri = pathToFileURL(directory).href;
  await pyright.sendRequest('initialize', {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: 'sources' }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
  });
  await pyright.sendNotification('initialized', {});
  return pyright;
}

/** The last names of what is called, each with the innermost function around the call. */
function callsOf(root: Node | undefined): { readonly name: Node; readonly caller: Node | undefined }[] {
  const calls: { name: Node; caller: Node | undefined }[] = [];
  const visit = (node: Node, caller: Node | undefined): void => {
    const around = node.type === 'function_definition' ? node : caller;
    if (node.type === 'call') {
      const called = node.childForFieldName('function');
      const name = called?.type === 'attribute' ? called.childForFieldName('attribute') : called;
      if (name?.type === 'identifier') calls.push({ name, caller });
    }
    for (const child of node.namedChildren) if (child) visit(child, around);
  };
  if (root) visit(root, undefined);
  return calls;
}

/** The id of what is declared at a place; undefined outside of the project, and of anything but functions and classes. */
function declared(
  { uri, range: { start, end } }: Definition,
  directory: string,
  texts: ReadonlyMap<string, string>,
  symbols: Symbols,
): string | undefined {
  const path = fileURLToPath(uri).slice(directory.length + 1);
  const line = texts.get(path)?.split('\n')[start.line];
  if (!uri.startsWith(`${pathToFileURL(directory).href}/`) || line === undefined) return undefined;
  return symbols.at(path, line.slice(start.character, end.character), start.line + 1, DECORATORS);
}

/** Finds functions, methods and classes of the graph by name and line. */
class Symbols {
  readonly #byName = new Map<string, FileGraph['symbols'][number][]>();

  constructor(graphs: readonly FileGraph[]) {
    for (const { path, symbols } of graphs) {
      for (const symbol of symbols) {
        if (!/^(?:function|method|class)$/.test(symbol.kind)) continue;
        const key = `${path} ${symbol.name}`;
        this.#byName.set(key, [...(this.#byName.get(key) ?? []), symbol]);
      }
    }
  }

  /** The id of the innermost symbol of that name around a line (from 1), at most so many lines after its start. */
  at(path: string, name: string, line: number, within = Infinity): string | undefined {
    const around = (this.#byName.get(`${path} ${name}`) ?? []).filter(
      ({ startLine, endLine }) => startLine <= line && line <= endLine && line - startLine <= within,
    );
    const found = around.sort((a, b) => b.startLine - a.startLine)[0];
    return found && `${path}#${withoutRepeats(found.qualifiedName)}`;
  }

  callerAt(path: string, node: Node | undefined): string {
    const name = node?.childForFieldName('name');
    return (name && this.at(path, name.text, name.startPosition.row + 1)) ?? path;
  }
}
