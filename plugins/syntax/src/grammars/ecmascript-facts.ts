/** A name or a call, as a value that is assigned or returned. */
export const VALUE = `[
  (identifier) @value (member_expression) @value (this) @value
  (call_expression) @value.call (new_expression) @value.call
  (await_expression [(call_expression) @value.call (identifier) @value])
  (parenthesized_expression (await_expression (call_expression) @value.call))]`;

const REQUIRE = `(call_expression function: (identifier) @_require arguments: (arguments . (string) @module .)
  (#eq? @_require "require"))`;
const DYNAMIC = '(call_expression function: (import) arguments: (arguments . (string) @module))';

/** Names that `value` binds: `a`, `{ b }`, `{ b: c }`. */
const bound = (value: string): string => `
(variable_declarator name: (identifier) @local value: ${value} (#set! kind "namespace")) @import
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name) value: ${value}) @import
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @name value: (identifier) @local))
  value: ${value}) @import`;

/** Patterns that the grammars of JavaScript and TypeScript share. `field` is the node of a class's field. */
export function ecmascriptFacts(field: string): string {
  return `
(import_statement (import_clause (identifier) @local) source: (string) @module (#set! kind "default")) @import
(import_statement (import_clause (namespace_import (identifier) @local)) source: (string) @module
  (#set! kind "namespace")) @import
(import_statement "import" . source: (string) @module (#set! kind "load")) @import
(export_statement "*" source: (string) @module (#set! kind "wildcard") (#set! reexport "")) @import
(export_statement (namespace_export (_) @local) source: (string) @module
  (#set! kind "namespace") (#set! reexport "")) @import
${bound(REQUIRE)}
${bound(`(await_expression ${DYNAMIC})`)}
(variable_declarator name: (identifier) @local
  value: (member_expression object: ${REQUIRE} property: (_) @name)) @import
(${REQUIRE} (#set! kind "load")) @import
(${DYNAMIC} (#set! kind "load")) @import

(export_statement (export_clause (export_specifier name: (_) @local !alias)) !source) @export
(export_statement (export_clause (export_specifier name: (_) @local alias: (_) @name)) !source) @export
(export_statement value: (identifier) @local (#set! name "default")) @export
(assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (identifier) @local (#eq? @_m "module") (#eq? @_e "exports") (#set! name "default")) @export
(assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (object [(shorthand_property_identifier) @local
    (pair key: (_) @name value: (identifier) @local)]) (#eq? @_m "module") (#eq? @_e "exports")) @export
(assignment_expression left: [
    (member_expression object: (identifier) @_e property: (_) @name)
    (member_expression object: (member_expression object: (identifier) @_m property: (_) @_e) property: (_) @name)]
  right: (identifier) @local (#eq? @_e "exports")) @export
(export_statement declaration: (_ name: (_) @exported))
(export_statement declaration: (_ (variable_declarator name: (identifier) @exported)))
(export_statement "default" @exported)
(assignment_expression left: (member_expression object: (identifier) @_e property: (_) @exported) (#eq? @_e "exports"))
(assignment_expression left: (member_expression object: (identifier) @_m property: (_) @exported) (#eq? @_m "module"))
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @_m property: (_) @_e)
  property: (_) @exported) (#eq? @_m "module") (#eq? @_e "exports"))

(call_expression function: [
  (identifier) @name
  (member_expression object: (_) @receiver property: (_) @name)
  (subscript_expression object: (_) @receiver index: (string (string_fragment) @name))]
  arguments: (arguments)? @arguments) @call
(call_expression function: [(call_expression) (parenthesized_expression) (subscript_expression) (function_expression)
  (arrow_function)] @receiver arguments: (arguments)? @arguments) @call
(call_expression function: (super) @name arguments: (_) @arguments) @new
(new_expression constructor: [
  (identifier) @name
  (member_expression object: (_) @receiver property: (_) @name)] arguments: (_)? @arguments) @new

(variable_declarator name: (identifier) @name) @variable
(variable_declarator name: (identifier) @name value: ${VALUE}) @variable
(variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)])) @variable
(variable_declarator name: (array_pattern (identifier) @name)) @variable
(for_in_statement left: (identifier) @name) @variable
(catch_clause parameter: (identifier) @name) @variable
(assignment_expression left: (identifier) @name right: ${VALUE}) @variable
(assignment_expression left: (member_expression object: [(this) (identifier)] @owner property: (_) @name)
  right: ${VALUE}) @field
(${field}) @field
(${field} value: ${VALUE}) @field
(return_statement ${VALUE}) @return
(arrow_function body: ${VALUE}) @return
(arrow_function parameter: (identifier) @name) @parameter
[(arrow_function) (function_expression) (generator_function) (function_declaration) (generator_function_declaration)
  (method_definition)] @scope.function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @scope

(decorator [(identifier) @decorator (member_expression) @decorator (call_expression function: (_) @decorator)])
[(identifier) (shorthand_property_identifier)] @ref
(assignment_expression left: (member_expression object: [(identifier) @ignore
  (member_expression object: (identifier) @ignore)]) (#match? @ignore "^(module|exports)$"))
(function_declaration name: (_) @ignore)
(function_expression name: (_) @ignore)

(call_expression function: [(identifier) @_test (member_expression object: (identifier) @_test)
    (call_expression function: (member_expression object: (identifier) @_test))]
  arguments: (arguments . [(string) (template_string)] @title)
  (#match? @_test "^(describe|context|suite|it|specify|test)$")) @case
`;
}

/** Elements of HTML are not references; components are. Not in TypeScript without JSX. */
export const JSX_FACTS = `
(jsx_opening_element name: (identifier) @ignore (#match? @ignore "^[a-z]"))
(jsx_closing_element name: (_) @ignore)
(jsx_self_closing_element name: (identifier) @ignore (#match? @ignore "^[a-z]"))
`;
