import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

/** Collections inside each other: the composer recurses, and where its stack ends while V8 compiles an expression, the process ends. */
const MAX_DEPTH = 50;

/** The data of a text in YAML: undefined for an empty one. Throws where it is not valid, or nested deeper than 50 levels. */
export function readYaml(text: string): unknown {
  const { Composer, Lexer, Parser } = require('yaml') as typeof Yaml; // once a note is read: it has 70 modules
  const parser = new Parser();
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) throw new Error('it is nested too deeply');
  }
  tokens.push(...parser.end());
  // Silent: its warnings would go to the log of the process, one for each line of a hostile text.
  const composer = new Composer({ prettyErrors: false, logLevel: 'silent' });
  const [document, more] = composer.compose(tokens);
  if (more) throw new Error('it has several documents');
  const [error] = document?.errors ?? [];
  if (error) throw error;
  return document?.toJS();
}
