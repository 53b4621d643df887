import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { analyse } from 'scslre';
import ts from 'typescript';
import { ROOT, trackedFiles } from './repository.js';

const SOURCE = /^(?:core|plugins\/[^/]+|transports\/[^/]+)\/src\/.*\.ts$/;
/** Applied to the first 400 characters of a line, in threads with a limit of time: only an exponential one is refused. */
const BOUNDED = 'plugins/syntax/src/outlines/';
/** What the analysis does not see, by file: why the time is linear all the same. */
const LINEAR: Readonly<Record<string, string>> = {
  'plugins/search/src/services/analysis/analyse.ts': 'one of the alternatives takes each run of letters',
};

interface Literal {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** The literals of a file. Of expressions that are put together from strings, those of outlines alone are analysed. */
function literalsIn(file: string, text: string): Literal[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ place: `${file}:${line + 1}`, source, flags });
    }
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return found;
}

/** The expressions in a value of any kind. */
function expressionsIn(value: unknown): RegExp[] {
  if (value instanceof RegExp) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(expressionsIn) : [];
}

/** How the time of an expression grows, where that is faster than the length of the text. */
function growthOf({
  source,
  flags,
}: Pick<Literal, 'source' | 'flags'>): 'exponential' | 'polynomial' | undefined {
  const { reports } = analyse({ source, flags });
  if (reports.length === 0) return undefined;
  return reports.some(({ exponential }) => exponential) ? 'exponential' : 'polynomial';
}

describe('regular expressions', () => {
  it('that take more time than the length of a text are recognised', () => {
    const growth = (source: string) => growthOf({ source, flags: 'u' });
    assert.equal(growth(String.raw`(?:\s|\/\/[^\n]*)*x`), 'exponential');
    assert.equal(growth(String.raw`^\s*;?\s*$`), 'polynomial');
    assert.equal(growth(String.raw`\/+$`), 'polynomial');
    assert.equal(growth(String.raw`(?<!\/)\/+$`), undefined);
  });

  it('take a time that grows with the length of the text: one caller must not stop the service', () => {
    const files = trackedFiles().filter((file) => SOURCE.test(file));
    const literals = files.flatMap((file) => literalsIn(file, readFileSync(join(ROOT, file), 'utf8')));
    assert.ok(literals.length > 500, String(literals.length));
    const slow = literals.flatMap((literal) => {
      const growth = growthOf(literal);
      const [file = ''] = literal.place.split(':');
      const isMeant = growth === 'polynomial' && (file.startsWith(BOUNDED) || file in LINEAR);
      return growth === undefined || isMeant ? [] : [`${literal.place} ${growth}: ${literal.source}`];
    });
    assert.deepEqual(slow, []);
  });

  it('of outlines, many of them put together from strings, are never exponential', async () => {
    const folder = join(ROOT, 'plugins/syntax/dist/outlines');
    const files = readdirSync(folder).filter((name) => name.endsWith('-languages.js'));
    const tables: unknown[] = await Promise.all(
      files.map((name) => import(pathToFileURL(join(folder, name)).href)),
    );
    const expressions = expressionsIn(tables);
    assert.ok(expressions.length > 300, String(expressions.length));
    const slow = expressions.filter((each) => growthOf(each) === 'exponential');
    assert.deepEqual(slow, []);
  });
});
