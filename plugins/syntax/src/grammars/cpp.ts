import { TYPES, VARIABLES, atTop } from './c.js';
import { lowerCpp } from '../worker/code/c/lower.js';
import { blankConditionals } from '../worker/preprocessor/conditionals.js';
import { withoutReturns } from '../worker/preprocessor/continued-lines.js';
import { blankMacros } from '../worker/preprocessor/macros.js';
import { withoutArrows } from '../worker/preprocessor/member-pointers.js';
import type { Grammar } from './grammar.js';

const NAME = '[(identifier) (qualified_identifier) (destructor_name) (operator_name)]';
const MEMBER = '[(field_identifier) (identifier) (destructor_name) (operator_name)]';

/** Like `declared` of C, with the references of C++. */
function declaredRef(names: string): string {
  const plain = `(function_declarator declarator: ${names} @name)`;
  return `[${plain} (reference_declarator ${plain}) (pointer_declarator declarator: ${plain})
    (pointer_declarator declarator: (pointer_declarator declarator: ${plain}))]`;
}

export const cpp: Grammar = {
  wasm: 'tree-sitter-cpp.wasm',
  query: `
(field_declaration_list [
  (function_definition declarator: ${declaredRef(MEMBER)} body: (_)? @body) @method
  (template_declaration (function_definition declarator: ${declaredRef(MEMBER)} body: (_)? @body) @method)])
(field_declaration_list [
  (field_declaration declarator: ${declaredRef(MEMBER)}) @prototype.method
  (declaration declarator: ${declaredRef(MEMBER)}) @prototype.method
  (template_declaration (declaration declarator: ${declaredRef(MEMBER)}) @prototype.method)])
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
  (reference_declarator (function_declarator declarator: (qualified_identifier) @name))] body: (_)? @body) @method
(function_definition declarator: ${declaredRef(NAME)} body: (_)? @body) @function
(function_definition declarator: (operator_cast) @name body: (_)? @body) @method
(class_specifier name: (_) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @module
(concept_definition name: (_) @name) @interface
(alias_declaration name: (_) @name) @type
(declaration declarator: (init_declarator declarator: (identifier) @name
  value: (lambda_expression body: (_) @body))) @function
${TYPES}
${atTop(`(declaration declarator: ${declaredRef(NAME)}) @prototype.function`, ['namespace_definition body: (declaration_list', 'template_declaration'])}
${atTop(`(declaration declarator: ${VARIABLES}) @variable`, ['namespace_definition body: (declaration_list'])}
(template_declaration [(class_specifier) (struct_specifier) (union_specifier) (function_definition) (declaration)
  (alias_declaration) (concept_definition) (template_declaration)] @inner) @wrap
`,
  lower: lowerCpp,
  preprocess: [
    withoutReturns,
    withoutArrows,
    blankMacros,
    (text, errors) => blankConditionals(text, errors, true),
  ],
  sample:
    'template <class T> class A : public B { ~A(); int operator+(int) const; };\nauto f = R"x(é)x"; [[a]] int N::g() { return []{ return 1; }(); }\n',
};
