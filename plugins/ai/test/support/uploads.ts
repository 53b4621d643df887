import type { Node } from './filled-workspace.js';

interface Section {
  readonly kind: string;
  readonly title: string;
  readonly path?: string;
  readonly project_id?: string;
  readonly id?: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly tokens: number;
  readonly reason: string;
}
export interface Answer {
  readonly context: string;
  readonly token_estimate: number;
  readonly tokenizer: string;
  readonly sections: readonly Section[];
  readonly budget: { readonly max: number; readonly used: number; readonly dropped: number };
  readonly index: { readonly state: string };
  readonly warnings: readonly string[];
}

export interface Orientation {
  readonly workspaces: ReadonlyArray<{
    readonly id: string;
    readonly index: { readonly state: string };
    readonly projects: ReadonlyArray<{ readonly id: string; readonly name: string }>;
    readonly recent_decisions: ReadonlyArray<{ readonly title: string }>;
    readonly open_tasks: ReadonlyArray<{ readonly title: string }>;
  }>;
  readonly current: { readonly workspace_id: string; readonly project_id: string | null } | null;
  readonly guide: ReadonlyArray<{ readonly tool: string }>;
}

/** A function that is longer than a chunk of the index, between its imports and the end of the file. */
export const LONG = [
  "import { closeTicket } from './finish.js';",
  '/** Sends an upload again until the gateway accepts it. */',
  'export async function retryUpload(upload: Upload): Promise<Receipt> {',
  ...Array.from(
    { length: 80 },
    (_none, line) => `  await attempt(upload, ${line}); // attempt number ${line}`,
  ),
  '  finishUpload(upload);',
  '  return closeTicket();',
  '}',
  '',
].join('\n');
export const FILES = [
  { path: 'src/upload.ts', content: LONG },
  {
    path: 'src/finish.ts',
    content: 'export function closeTicket(): Receipt {\n  return { stamp: "blue-green" };\n}\n',
  },
  {
    path: 'src/sums.ts',
    content: [
      '/** Adds prices, and rounds what comes out. */',
      'export function addPrices(prices: number[]): number {',
      ...Array.from({ length: 6 }, (_none, at) => `  const price${at} = prices[${at}] ?? 0;`),
      '  return roundHalf(prices.reduce((sum, price) => sum + price, 0));',
      '}',
      '',
      '/** Rounds to the nearest half. */',
      'export function roundHalf(price: number): number {',
      '  return Math.round(price * 2) / 2;',
      '}',
      '',
    ].join('\n'),
  },
  { path: 'src/logo.ts', content: 'export function paintLogo(): string {\n  return "blue";\n}\n' },
  {
    path: 'test/upload.test.ts',
    content: 'it("retries an upload", () => retryUpload(upload));\nit("reports the upload", () => {});\n',
  },
  { path: 'docs/index.md', content: '# Retry an upload\n' },
  {
    path: 'docs/upload.md',
    content: '# Uploads\n\nAn upload is retried, since the gateway drops some. The latest one wins.\n',
  },
];
export const NODES: readonly Node[] = [
  {
    node_type: 'decision',
    title: 'Retry uploads',
    content: 'We retry an upload instead of resuming it, since the gateway keeps no parts.',
  },
  { node_type: 'fact', title: 'Colour of the logo', content: 'The logo is blue.' },
];
