import ts from 'typescript';
import type { SourceFile } from '@service-mcp/plugin-graph/internals';

type Names = ReadonlyMap<number, number>;

/** Finds the symbol of the graph that a node of the compiler's tree declares: by the offset of its name. */
export class SymbolNames {
  readonly #files: ReadonlyMap<string, { readonly file: SourceFile; readonly names: Names }>;

  constructor(files: readonly SourceFile[]) {
    this.#files = new Map(files.map((file) => [file.path, { file, names: namesOf(file) }]));
  }

  /** The id of a function or class; undefined outside the project and for one without a name. */
  idOf(path: string, node: ts.Node): string | undefined {
    const symbol = this.#symbolOf(path, node);
    return symbol === undefined ? undefined : this.id(path, symbol);
  }

  /** The innermost function with a name around a node, else its module. */
  callerOf(path: string, node: ts.Node): string {
    for (let at = node.parent; at; at = at.parent) {
      if (!ts.isFunctionLike(at)) continue;
      const symbol = this.#symbolOf(path, at);
      if (symbol !== undefined) return this.id(path, symbol);
    }
    return path;
  }

  /** All overloads of a function share the id of the first. */
  id(path: string, symbol: number): string {
    const name = this.#files.get(path)?.file.symbols[symbol]?.qualifiedName ?? '';
    return `${path}#${name.replaceAll(/~\d+/g, '')}`;
  }

  #symbolOf(path: string, node: ts.Node): number | undefined {
    const names = this.#files.get(path)?.names;
    for (const start of starts(node)) {
      const symbol = names?.get(start);
      if (symbol !== undefined) return symbol;
    }
    return undefined;
  }
}

function namesOf(file: SourceFile): Names {
  const names = new Map<number, number>();
  const seen = new Set<unknown>(); // parts of the code may stand in several places
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) value.forEach(visit);
    const { symbol, start } = value as { readonly symbol?: unknown; readonly start?: unknown };
    if (typeof symbol === 'number' && typeof start === 'number') names.set(start, symbol);
    Object.values(value).forEach(visit);
  };
  visit(file.code?.body);
  return names;
}

/** The node around a value, through parentheses and casts. */
function declarationAround(node: ts.Node): ts.Node {
  let { parent } = node;
  while (
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent)
  ) {
    ({ parent } = parent);
  }
  return parent;
}

/** Where the name of a declaration starts, or that of the variable or property that it initializes. */
function starts(node: ts.Node): number[] {
  const name = ts.getNameOfDeclaration(node as ts.Declaration); // undefined for other nodes
  const parent = declarationAround(node);
  const found = name ? [name.getStart()] : [];
  if (ts.isConstructorDeclaration(node)) {
    const keyword = node.getChildren().find(({ kind }) => kind === ts.SyntaxKind.ConstructorKeyword);
    return keyword ? [keyword.getStart()] : [];
  }
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return [...found, node.getStart()];
  if (!ts.isFunctionExpression(node) && !ts.isArrowFunction(node) && !ts.isClassExpression(node))
    return found;
  if (
    ts.isVariableDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertyAssignment(parent)
  ) {
    return [parent.name.getStart()];
  }
  if (ts.isBinaryExpression(parent)) {
    const { left } = parent;
    const property = ts.isPropertyAccessExpression(left) ? [left.name.getStart()] : [];
    return [...property, parent.parent.getStart()];
  }
  return ts.isExportAssignment(parent) ? [parent.getStart()] : [];
}
