import { join } from 'node:path';
import ts from 'typescript';
import { ROOT, packages } from '../repository.js';
import { page, prose } from './markdown.js';

const COMPILER: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  // Types of the language and of other packages are named, not looked up.
  noLib: true,
  types: [],
};

/** A package as a plugin imports it. */
interface EntryPoint {
  /** `@service-mcp/core/http` */
  readonly name: string;
  readonly page: string;
  /** Declarations of the built file. */
  readonly declarations: string;
}

/** What a plugin may import: every entry point of core, and the contracts of plugins. */
function entryPoints(): EntryPoint[] {
  return packages().flatMap(({ name, folder, exports }) =>
    Object.entries(exports).flatMap(([path, target]) => {
      const isImported = folder === 'core' || /^\.\/contract(?:\/|$)/.test(path);
      if (typeof target === 'string' || !isImported) return [];
      const from = path.slice(1);
      const file = `${folder.replace('plugins/', 'plugin-')}${from.replace('/contract', '').replaceAll('/', '-')}`;
      return {
        name: `${name}${from}`,
        page: `api-${file}.md`,
        declarations: join(ROOT, folder, target.types),
      };
    }),
  );
}

/**
 * A page for each entry point, by file name: its exports, and the types of the same package that they name, with
 * docstring and declaration, by source file.
 */
export function apiPages(): ReadonlyMap<string, { readonly name: string; readonly text: string }> {
  const entries = entryPoints();
  const program = ts.createProgram(
    entries.map(({ declarations }) => declarations),
    COMPILER,
  );
  const checker = program.getTypeChecker();
  const exportsOf = entries.map(({ declarations }) => {
    const source = program.getSourceFile(declarations);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${declarations} exports nothing: build it first`);
    return allExports(module, checker);
  });
  const elsewhere = new Set(exportsOf.flat());
  return new Map(
    entries.map(({ name, page: file }, index) => {
      const text = apiPage(name, { exported: exportsOf[index] ?? [], elsewhere }, checker);
      return [file, { name, text }];
    }),
  );
}

/** `elsewhere`: symbols that some page describes. */
function apiPage(
  name: string,
  {
    exported,
    elsewhere,
  }: { readonly exported: readonly ts.Symbol[]; readonly elsewhere: ReadonlySet<ts.Symbol> },
  checker: ts.TypeChecker,
): string {
  const files = new Map<string, ts.Symbol[]>();
  const own = new Set(exported);
  // A set is walked in the order of insertion: also those that are added on the way.
  const shown = new Set(own);
  for (const symbol of shown) {
    const file = sourceOf(symbol) ?? '';
    files.set(file, [...(files.get(file) ?? []), symbol]);
    for (const named of namedBy(symbol, checker)) {
      const samePackage = sourceOf(named)?.split('/src/')[0] === file.split('/src/')[0];
      if (samePackage && !elsewhere.has(named)) shown.add(named);
    }
  }
  const slug = createSlugs();
  const sections: string[] = [];
  const index: string[] = [];
  for (const [file, symbols] of files) {
    sections.push(`## ${file.split('/').at(-1)}\n\nSource: [${file}](../../${file})`);
    const links = symbols.map((symbol) => `[${symbol.name}](#${slug(symbol.name)})`);
    index.push(`- ${file.split('/').at(-1)}: ${links.join(', ')}`);
    sections.push(...symbols.map((symbol) => describe(symbol, own.has(symbol), checker)));
  }
  const intro = `What \`${name}\` exports, with its docstrings, by source file.`;
  return page(`\`${name}\``, intro, index.join('\n'), ...sections);
}

/** Exports of a module; those of a namespace (`export * as`) in its place. */
function allExports(module: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  return checker.getExportsOfModule(module).flatMap((each) => {
    const symbol = original(each, checker);
    return symbol.flags & ts.SymbolFlags.ValueModule ? allExports(symbol, checker) : [symbol];
  });
}

function original(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Types that the declarations of a symbol name. */
function namedBy({ declarations = [] }: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    const name = typeName(node);
    const symbol = name && checker.getSymbolAtLocation(name);
    const type = symbol && original(symbol, checker);
    const isOther = type && type.flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.ValueModule);
    if (type && !isOther) found.push(type);
    ts.forEachChild(node, visit);
  };
  for (const declaration of declarations) visit(declaration);
  return found;
}

function typeName(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}

function describe(symbol: ts.Symbol, isExported: boolean, checker: ts.TypeChecker): string {
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const code = (symbol.declarations ?? []).map(declarationText);
  const parts = [
    `### ${symbol.name}`,
    isExported ? '' : 'Not exported: others name it.',
    prose(doc.replaceAll(/\{@link (\w+) ?\}/g, '`$1`')),
    `\`\`\`ts\n${code.join('\n')}\n\`\`\``,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The declaration as the compiler wrote it, without its own docstring; members keep theirs. */
function declarationText(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return node
    .getText()
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/^ *#private;\n/gm, '')
    .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}

/** The source of a symbol, relative to the root: `core/src/tool.ts`; undefined where another package declares it. */
function sourceOf({ declarations = [] }: ts.Symbol): string | undefined {
  const [, file] = declarations[0]?.getSourceFile().fileName.split(ROOT) ?? [];
  if (file === undefined || file.includes('node_modules/')) return undefined;
  return file.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts');
}

/** Anchors as GitHub makes them: names that differ by case alone are numbered. */
function createSlugs(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = heading.toLowerCase();
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
