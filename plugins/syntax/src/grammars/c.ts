import { lowerC } from '../worker/code/c/lower.js';
import { blankConditionals } from '../worker/preprocessor/conditionals.js';
import { withoutReturns } from '../worker/preprocessor/continued-lines.js';
import { blankMacros } from '../worker/preprocessor/macros.js';
import type { Grammar } from './grammar.js';

/**
 * A declarator nests its name in any number of pointers and arrays; three levels cover real code. `names` are the
 * nodes of a function's name.
 */
function declared(names: string): string {
  // `int (f)(int)` keeps a macro of that name away.
  const plain = `(function_declarator declarator: [${names} @name (parenthesized_declarator ${names} @name)])`;
  const pointer = (inner: string) => `(pointer_declarator declarator: ${inner})`;
  // `int (*choose(int))(char)` gives a pointer to a function.
  const nested = `(function_declarator declarator: (parenthesized_declarator ${pointer(plain)}))`;
  return `[${plain} ${nested} ${pointer(plain)} ${pointer(pointer(plain))}]`;
}

/** `(type_definition type: (struct_specifier name: …)`: an anonymous body takes the name of its typedef. */
export const TYPES = `
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @class
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @class
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition type: [(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_))
  (enum_specifier name: (_) body: (_))] @inner) @wrap
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
]) @type
(struct_specifier name: (_) @name body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(enum_specifier name: (_) @name body: (_) @body) @enum
(preproc_function_def name: (_) @name value: (_)? @body) @function
(preproc_def name: (_) @name value: (_)) @variable
(comment) @lead
`;

export const VARIABLES = `[
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))])]`;

/** Nodes whose direct declarations are at top level. */
const TOP = [
  'translation_unit',
  'preproc_ifdef',
  'preproc_if',
  'preproc_else',
  'linkage_specification body: (declaration_list',
];

export const atTop = (pattern: string, more: readonly string[] = []): string =>
  [...TOP, ...more].map((node) => `(${node} ${pattern})${node.includes('(') ? ')' : ''}`).join('\n');

export const c: Grammar = {
  wasm: 'tree-sitter-c.wasm',
  query: `
(function_definition declarator: ${declared('(identifier)')} body: (_) @body) @function
${atTop(`(declaration declarator: ${declared('(identifier)')}) @prototype.function`)}
${TYPES}
${atTop(`(declaration declarator: ${VARIABLES}) @variable`)}
`,
  lower: lowerC,
  preprocess: [withoutReturns, blankMacros, (text, errors) => blankConditionals(text, errors, false)],
  sample: '#include <a.h>\n#define K(x) x\nstatic const char *f(int *a) { return a ? "é" : \'c\'; }\n',
};
