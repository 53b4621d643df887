import type { SourceSymbol } from '../contract.js';
import { lowerC } from '../worker/code/c/lower.js';
import type { Grammar } from './grammar.js';

/**
 * A declarator nests its name in any number of pointers and arrays; three levels cover real code. `names` are the
 * nodes of a function's name.
 */
export function declared(names: string): string {
  const plain = `(function_declarator declarator: ${names} @name)`;
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

const VALUE = `[(identifier) @value (field_expression) @value (call_expression) @value.call
  (pointer_expression argument: [(identifier) @value (field_expression) @value])]`;
export const NAMED = `[
  (identifier) @name
  (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
  (array_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])]`;

/** Shared with C++. */
export const C_FACTS = `
(preproc_include path: (_) @module (#set! kind "load")) @import

(call_expression function: [
  (identifier) @name
  (field_expression argument: (_) @receiver field: (_) @name)] arguments: (_) @arguments) @call
(call_expression function: [(parenthesized_expression) (subscript_expression) (call_expression)] @receiver
  arguments: (_) @arguments) @call

(declaration type: (_) @type declarator: ${NAMED}) @variable
(declaration type: (_) @type declarator: (init_declarator declarator: ${NAMED})) @variable
(declaration declarator: (init_declarator declarator: ${NAMED} value: ${VALUE})) @variable
(enumerator name: (_) @name) @variable
(assignment_expression left: (identifier) @name right: ${VALUE}) @variable
(assignment_expression left: (field_expression argument: (identifier) @owner field: (_) @name) right: ${VALUE}) @field
(field_declaration type: (_) @type declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)])
  (array_declarator declarator: (field_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
]) @field
(parameter_declaration type: (_) @type declarator: ${NAMED}) @parameter
(function_definition type: (_) @type) @return
(return_statement ${VALUE}) @return
(function_definition) @scope.function
[(compound_statement) (for_statement)] @scope

(identifier) @ref
(type_identifier) @ref.type
(preproc_ifdef name: (_) @ignore)
(preproc_defined (_) @ignore)
(preproc_params) @ignore
`;

export function isStatic({ signature }: SourceSymbol): boolean {
  return /^(?:\w+ )*static\b/.test(signature);
}

export const c: Grammar = {
  id: 'c',
  wasm: 'tree-sitter-c.wasm',
  query: `
(function_definition declarator: ${declared('(identifier)')} body: (_) @body) @function
${atTop(`(declaration declarator: ${declared('(identifier)')}) @prototype.function`)}
${TYPES}
${atTop(`(declaration declarator: ${VARIABLES}) @variable`)}
`,
  facts: {
    query: C_FACTS,
    separator: '\\.|->',
    hidden: isStatic,
  },
  lower: lowerC,
  sample: '#include <a.h>\n#define K(x) x\nstatic const char *f(int *a) { return a ? "é" : \'c\'; }\n',
};
