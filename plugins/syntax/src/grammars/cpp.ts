import { C_FACTS, NAMED, TYPES, VARIABLES, atTop, isStatic } from './c.js';
import { lowerCpp } from '../worker/code/c/lower.js';
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
  id: 'cpp',
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
  facts: {
    query: `${C_FACTS}
(using_declaration "namespace" (_) @module (#set! kind "wildcard")) @import
(using_declaration "using" . (qualified_identifier) @module (#set! split "")) @import
(call_expression function: [
  (qualified_identifier) @name
  (template_function name: (_) @name)
  (field_expression argument: (_) @receiver field: (template_method name: (_) @name))] arguments: (_) @arguments) @call
(new_expression type: [(type_identifier) @name (qualified_identifier) @name (template_type name: (_) @name)]
  arguments: (_)? @arguments) @new
(compound_literal_expression type: [(type_identifier) @name (qualified_identifier) @name
  (template_type name: (_) @name)]) @new
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)

(declaration declarator: (init_declarator declarator: ${NAMED}
  value: [(new_expression) (compound_literal_expression)] @value.call)) @variable
(declaration type: (_) @type declarator: (reference_declarator (identifier) @name)) @variable
(declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @variable
(for_range_loop type: (_) @type declarator: [(identifier) @name (reference_declarator (identifier) @name)]) @variable
(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @name)) @parameter
(optional_parameter_declaration type: (_) @type declarator: [(identifier) @name
  (pointer_declarator declarator: (identifier) @name)]) @parameter
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) @field
(return_statement [(new_expression) (compound_literal_expression)] @value.call) @return
(lambda_expression) @scope.function
[(for_range_loop) (catch_clause)] @scope

(qualified_identifier scope: (_) @ref)
(qualified_identifier name: (_) @ignore)
(type_parameter_declaration) @ignore
((function_definition declarator: (function_declarator declarator: (identifier) @test))
  (#match? @test "^(TYPED_)?TEST(_F|_P)?$"))
`,
    separator: '\\.|->|::',
    hidden: (symbol, parent) => parent === undefined && isStatic(symbol),
  },
  lower: lowerCpp,
  sample:
    'template <class T> class A : public B { ~A(); int operator+(int) const; };\nauto f = R"x(é)x"; [[a]] int N::g() { return []{ return 1; }(); }\n',
};
