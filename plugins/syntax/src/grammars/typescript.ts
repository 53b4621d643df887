import type { Grammar } from './grammar.js';
import { lower } from '../worker/code/ecmascript/index.js';
import { blankJsxAmpersands, blankNearJsxAmpersands } from '../worker/preprocessor/jsx-ampersands.js';
import { blankNewerTypeScript, blankTemplateArguments } from '../worker/preprocessor/newer-typescript.js';
import { replaceNameWords } from '../worker/preprocessor/name-words.js';
import { endSignatures } from '../worker/preprocessor/signature-ends.js';
import { ecmascript, FUNCTION } from './javascript.js';

/** A function with another type than its own: `(() => {}) as A`, `function () {} satisfies B`. */
const CAST = `[(as_expression . ${FUNCTION}) (satisfies_expression . ${FUNCTION})
  (as_expression . (parenthesized_expression ${FUNCTION})) (satisfies_expression . (parenthesized_expression ${FUNCTION}))
  (as_expression . (as_expression . [${FUNCTION} (parenthesized_expression ${FUNCTION})]))]`;

const query = `(variable_declarator name: (identifier) @name value: ${CAST}) @function
${ecmascript('type_identifier', 'public_field_definition name: (_) @name')}
(function_signature name: (_) @name) @function
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(module name: (_) @name body: (_)? @body) @module
(internal_module name: (_) @name body: (_)? @body) @module
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(ambient_declaration [
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @variable)])
(internal_module body: (statement_block (export_statement
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable))))
(ambient_declaration (_) @inner) @wrap
(expression_statement (internal_module) @inner) @wrap
`;

export const typescript: Grammar = {
  wasm: 'tree-sitter-typescript.wasm',
  query,
  lower,
  preprocess: [blankNewerTypeScript, replaceNameWords, endSignatures],
  blankMisread: blankTemplateArguments,
  sample:
    '@d() export abstract class A<T> implements I { readonly x?: T; m = (a: string): void => {}; }\n// é\n',
};

export const tsx: Grammar = {
  wasm: 'tree-sitter-tsx.wasm',
  query,
  lower,
  preprocess: [
    blankNewerTypeScript,
    replaceNameWords,
    endSignatures,
    blankJsxAmpersands,
    blankNearJsxAmpersands,
  ],
  blankMisread: blankTemplateArguments,
  sample: 'export const A = <T,>(p: P<T>) => <p a="1">{`${p.x}` as string} text</p>;\n// é\n',
};
