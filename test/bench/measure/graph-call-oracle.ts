import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import type { Sources } from './graph-sources.js';
import { SymbolNames } from './graph-symbol-names.js';

/** Calls inside the project as the checker resolves them. */
export interface CheckerCalls {
  /** `caller`, a space, `callee`: ids of functions, methods and classes; of modules for calls outside of functions. */
  readonly edges: ReadonlySet<string>;
  /** `path:line` of calls that it leaves open: of a function type, or of `any`. */
  readonly open: ReadonlySet<string>;
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  jsx: ts.JsxEmit.Preserve,
  allowJs: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
};

export function checkerCalls(sources: Sources): CheckerCalls {
  const names = new SymbolNames(sources.files);
  const program = ts.createProgram({
    rootNames: sources.paths
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
      .map((path) => join(sources.directory, path)),
    options: OPTIONS,
    host: hostOf(sources),
  });
  const checker = program.getTypeChecker();
  const pathOf = (file: ts.SourceFile): string => relative(sources.directory, file.fileName);
  const known = new Set(sources.paths);
  const edges = new Set<string>();
  const open = new Set<string>();
  for (const path of sources.paths) {
    const file = program.getSourceFile(join(sources.directory, path));
    if (!file) continue;
    // Resolves all calls from the outside in. Asked for an inner call first, the checker resolves those around it each time.
    program.getSemanticDiagnostics(file);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!isCall(node)) return;
      const declarations = calledBy(node, checker);
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      const end = file.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
      const leave = (): void => {
        for (let at = line; at <= end; at += 1) open.add(`${path}:${at}`);
      };
      if (declarations.length === 0) leave();
      for (const declaration of declarations) {
        const target = names.idOf(pathOf(declaration.getSourceFile()), declaration);
        // A property of the project may hold a function of the project, whatever its type says.
        if (target === undefined && holdsFunction(node, checker, pathOf, known)) leave();
        if (target !== undefined) edges.add(`${names.callerOf(path, node)} ${target}`);
      }
    };
    visit(file);
  }
  return { edges, open };
}

/** Outputs of packages of the project stand for their sources. */
function hostOf({ directory, paths }: Sources): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  const known = new Set(paths.map((path) => join(directory, path)));
  const cache = ts.createModuleResolutionCache(directory, (name) => name, OPTIONS);
  host.resolveModuleNameLiterals = (literals, from, redirected, options, file) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(file, literal, options);
      const found = ts.resolveModuleName(literal.text, from, options, host, cache, redirected, mode);
      const resolved = found.resolvedModule;
      if (!resolved || known.has(resolved.resolvedFileName)) return found;
      const source = resolved.resolvedFileName.replace('/dist/', '/src/').replace(/\.d\.([cm]?ts)$/, '.$1');
      if (!known.has(source) || !existsSync(source)) return found;
      return {
        resolvedModule: {
          resolvedFileName: source,
          extension: ts.Extension.Ts,
          isExternalLibraryImport: false,
        },
      };
    });
  return host;
}

/** Is a property, parameter or variable of the project called? */
function holdsFunction(
  node: CallNode,
  checker: ts.TypeChecker,
  pathOf: (file: ts.SourceFile) => string,
  known: ReadonlySet<string>,
): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return declarationsAt(name, checker).some(
    (each) => !ts.isFunctionLike(each) && known.has(pathOf(each.getSourceFile())),
  );
}

type CallNode = ts.CallLikeExpression;

function isCall(node: ts.Node): node is CallNode {
  return (
    ts.isCallOrNewExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isJsxOpeningElement(node) ||
    ts.isJsxSelfClosingElement(node) ||
    ts.isDecorator(node)
  );
}

/** The declarations that a call reaches: several on a union; none where the checker sees a function type or nothing. */
function calledBy(node: CallNode, checker: ts.TypeChecker): ts.Node[] {
  if (ts.isCallExpression(node)) {
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return [node];
    const through = calledThrough(node.expression, checker);
    if (through.length > 0) return through;
    const choices = choicesOf(node.expression);
    if (choices.length > 1) {
      const found = choices.flatMap((each) => declarationsAt(each, checker));
      return found.every(isFunction) ? found : [];
    }
  }
  const declaration: ts.Node | undefined = checker.getResolvedSignature(node)?.declaration;
  const ofClass = ts.isNewExpression(node) && !declaration ? classOf(node, checker) : undefined;
  const first = declaration ?? ofClass;
  if (!first || isFunctionType(first)) return [];
  const members = unionMembers(node, checker);
  return members.every(isFunction) ? [first, ...members] : [];
}

/** The functions of `f.call(…)` and `f.apply(…)`. */
function calledThrough(node: ts.Expression, checker: ts.TypeChecker): ts.Node[] {
  if (!ts.isPropertyAccessExpression(node) || !/^(?:call|apply)$/.test(node.name.text)) return [];
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return declarationsAt(name, checker).filter(isFunction);
}

/** The values of `(a ? b : c)()`. */
function choicesOf(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return choicesOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...choicesOf(node.whenTrue), ...choicesOf(node.whenFalse)];
  return [node];
}

function declarationsAt(node: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] {
  const symbol = checker.getSymbolAtLocation(node);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target?.declarations ?? [];
}

/** True for functions and methods; false for variables and properties that hold one. */
function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && !isFunctionType(node);
}

function isFunctionType(node: ts.Node): boolean {
  return (
    ts.isFunctionTypeNode(node) ||
    ts.isConstructorTypeNode(node) ||
    ts.isCallSignatureDeclaration(node) ||
    ts.isConstructSignatureDeclaration(node) ||
    ts.isJSDocSignature(node)
  );
}

/** A class without a constructor. */
function classOf(node: ts.NewExpression, checker: ts.TypeChecker): ts.Node | undefined {
  const symbol = checker.getTypeAtLocation(node).getSymbol();
  return symbol?.declarations?.find(ts.isClassLike);
}

/** A call on a value of several types calls the member of each. */
function unionMembers(node: CallNode, checker: ts.TypeChecker): readonly ts.Node[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const receiver = checker.getTypeAtLocation(node.expression.expression);
  const { text } = node.expression.name;
  const types = receiver.isUnion() ? receiver.types : [];
  return types.flatMap((type) => checker.getPropertyOfType(type, text)?.declarations ?? []);
}
