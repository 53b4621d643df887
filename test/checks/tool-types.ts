import ts from 'typescript';
import { toolEntry } from '@service-mcp/core/wire';
import { startForeign } from '../codegen/support/foreign-server.js';
import { openWorkbench, runCodegen } from '../codegen/support/generated.js';
import { defaultTools } from './deployment.js';

const HEADER = [
  '// Written by `npm run docs`: the types of the client that `service-mcp codegen` generates. Do not edit.',
  '',
  '/** Arguments and results of every tool of the default deployment. */',
  'export interface Tools {',
].join('\n');

/**
 * TypeScript source of the arguments and results of every tool of the default deployment. The types are those of the
 * client that `service-mcp codegen` writes, without its validators, so that they cost nothing at run time.
 */
export async function toolTypes(): Promise<string> {
  const tools = (await defaultTools()).map(({ info }) => toolEntry(info));
  const server = await startForeign(() => ({ tools }));
  const bench = await openWorkbench();
  try {
    const { code, stdout, stderr } = await runCodegen(['--url', server.url]);
    if (code !== 0) throw new Error(`service-mcp codegen: ${stderr}`);
    const types = typesOf(await bench.write('client.ts', stdout));
    const calls = stdout.matchAll(/this\.invoke\(\{ name: ("[^"]+"), input: (\w+), output: (\w+) \}/g);
    const members = Array.from(calls, ([, name = '', input = '', output = '']) => {
      const type = (exported: string) => types.get(exported.toLowerCase());
      return `  ${name}: {\n    input: ${type(input)};\n    output: ${type(output)};\n  };\n`;
    });
    return `${HEADER}\n${members.join('')}}\n`;
  } finally {
    await bench.remove();
    await server.stop();
  }
}

/** The text of each exported type of a file, by its name in lower case. */
function typesOf(file: string): ReadonlyMap<string, string> {
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  });
  const checker = program.getTypeChecker();
  const flags =
    ts.TypeFormatFlags.NoTruncation |
    ts.TypeFormatFlags.InTypeAlias |
    ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
  const aliases = program.getSourceFile(file)?.statements.filter(ts.isTypeAliasDeclaration) ?? [];
  return new Map(
    aliases.map((alias) => [
      alias.name.text.toLowerCase(),
      checker.typeToString(checker.getTypeAtLocation(alias), undefined, flags),
    ]),
  );
}
