import assert from 'node:assert/strict';
import { startDeployment } from '../../codegen/support/deployment.js';
import { openWorkbench, runCodegen, type Compiler, type Workbench } from '../../codegen/support/generated.js';

/** Code that uses the client; each line after a @ts-expect-error must be refused. */
const PROGRAM = `
import { ServiceClient, ServiceError, searchHybridInput, type SearchHybridInput, type HelpOutput } from './client.js';

const client = new ServiceClient({ url: 'http://127.0.0.1:8080', key: () => Promise.resolve('key') });
export async function use(signal: AbortSignal): Promise<string[]> {
  await client.connect();
  const input: SearchHybridInput = { query: 'x', limit: 3, filters: { kinds: ['code'] } };
  const { results, index } = await client.searchHybrid(input, { signal });
  const state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded' = index.state;
  const help: HelpOutput = await client.help();
  const parsed = searchHybridInput.safeParse({ query: 'x' });
  const [first] = results;
  const language: string | null | undefined = first?.language;
  return [state, help.version, parsed.data?.query ?? '', language ?? '', String(results.length)];
}
export function refused(): void {
  // @ts-expect-error: query is required
  void client.searchHybrid({});
  // @ts-expect-error: arguments are required
  void client.searchHybrid();
  // @ts-expect-error: no such field
  void client.searchHybrid({ query: 'x', limti: 3 });
  // @ts-expect-error: not one of the values
  void client.searchHybrid({ query: 'x', output_format: 'none' });
  // @ts-expect-error: a number
  void client.searchHybrid({ query: 'x', limit: '3' });
  // @ts-expect-error: no such tool
  void client.nosuch();
  // @ts-expect-error: a language may be null
  void client.searchHybrid({ query: 'x' }).then(({ results }) => results[0]?.language?.length.toFixed() satisfies string);
  // @ts-expect-error: an address is needed
  void new ServiceClient({});
}
export function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof ServiceError)) return undefined;
  const { code, message, details, retryAfterMs } = thrown;
  return code === 'RATE_LIMITED' ? String(retryAfterMs) : message + String(details?.['issues']);
}
`;

describe('codegen: the client is typed, as strictly as projects come', () => {
  let bench: Workbench;
  let files: readonly string[];
  before(async () => {
    const service = await startDeployment();
    try {
      bench = await openWorkbench();
      const { stdout, stderr, code } = await runCodegen(['--url', service.url], {
        SERVICE_API_KEY: service.key,
      });
      assert.equal(code, 0, stderr);
      files = [await bench.write('client.ts', stdout), await bench.write('program.ts', PROGRAM)];
    } finally {
      await service.stop();
    }
  });
  after(() => bench.remove());

  const platforms: [string, object][] = [
    ['a browser', { lib: ['ES2023', 'DOM'], types: [] }],
    ['Node.js', { lib: ['ES2023'], types: ['node'] }],
    ['a bundler', { module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2024', 'DOM'], types: [] }],
  ];
  const cases: [Compiler, string, object][] = [
    ...platforms.map(([name, options]) => ['7', name, options] as [Compiler, string, object]),
    ['5.9', ...(platforms[0] ?? (['', {}] as [string, object]))],
  ];
  for (const [compiler, name, options] of cases) {
    it(`by TypeScript ${compiler} for ${name}`, async () => {
      assert.equal(await bench.compile(compiler, options, ...files), '');
    });
  }
});
