import { lowerGo } from '../worker/code/go/lower.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(identifier) @value (selector_expression) @value (call_expression) @value.call
  (composite_literal) @value.call (unary_expression operand: (composite_literal) @value.call)]`;

export const go: Grammar = {
  id: 'go',
  wasm: 'tree-sitter-go.wasm',
  lower: lowerGo,
  query: `
(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @qualifier
    (pointer_type (type_identifier) @qualifier)
    (generic_type type: (_) @qualifier)
    (pointer_type (generic_type type: (_) @qualifier))]))
  name: (_) @name body: (_)? @body) @method
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @class
(type_spec name: (_) @name type: (interface_type "{" @body)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @method
(short_var_declaration left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (_) @body) .)) @function
(var_spec . name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @function
(source_file (const_declaration (const_spec name: (_) @name) @variable))
(source_file (var_declaration (var_spec name: (_) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @variable)))
(type_declaration "type" . [(type_spec) (type_alias)] @inner .) @wrap
(const_declaration "const" . (const_spec) @inner .) @wrap
(var_declaration "var" . (var_spec) @inner .) @wrap
(comment) @lead
`,
  facts: {
    query: `
(import_spec !name path: (_) @module (#set! kind "namespace")) @import
(import_spec name: (package_identifier) @local path: (_) @module (#set! kind "namespace")) @import
(import_spec name: (dot) path: (_) @module (#set! kind "wildcard")) @import
(import_spec name: (blank_identifier) path: (_) @module (#set! kind "load")) @import

(call_expression function: [
  (identifier) @name
  (selector_expression operand: (_) @receiver field: (_) @name)
  (index_expression operand: (identifier) @name)
  (index_expression operand: (selector_expression operand: (_) @receiver field: (_) @name))
  (type_instantiation_expression type: (type_identifier) @name)] arguments: (_) @arguments) @call
(type_conversion_expression type: (generic_type type: (type_identifier) @name)) @call
(call_expression function: [(call_expression) (parenthesized_expression) (func_literal) (index_expression)] @receiver
  arguments: (_) @arguments) @call
(composite_literal type: [
  (type_identifier) @name
  (qualified_type package: (_) @receiver name: (_) @name)
  (generic_type type: [(type_identifier) @name (qualified_type package: (_) @receiver name: (_) @name)])]) @new
(field_declaration !name type: (_) @extends)
(interface_type (type_elem . (_) @extends .))

(short_var_declaration left: (expression_list (identifier) @name)) @variable
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . ${VALUE} .)) @variable
(var_spec name: (identifier) @name type: (_) @type) @variable
(var_spec name: (identifier) @name) @variable
(var_spec . name: (identifier) @name value: (expression_list . ${VALUE} .)) @variable
(const_spec name: (identifier) @name) @variable
(assignment_statement left: (expression_list . (identifier) @name) right: (expression_list . ${VALUE} .)) @variable
(assignment_statement left: (expression_list . (selector_expression operand: (identifier) @owner field: (_) @name))
  right: (expression_list . ${VALUE} .)) @field
(range_clause left: (expression_list (identifier) @name)) @variable
(type_switch_statement alias: (expression_list (identifier) @name)) @variable
(method_declaration receiver: (parameter_list (parameter_declaration name: (_) @name type: (_) @type))) @receiver_parameter
(_ parameters: (parameter_list [
  (parameter_declaration name: (_) @name type: (_) @type)
  (variadic_parameter_declaration name: (_) @name type: (_) @type)])) @parameter
(_ result: (parameter_list (parameter_declaration name: (_) @name type: (_) @type))) @variable
(field_declaration name: (_) @name type: (_) @type) @field
[(function_declaration result: (_) @type) (method_declaration result: (_) @type) (method_elem result: (_) @type)] @return
(return_statement (expression_list . ${VALUE})) @return
[(function_declaration) (method_declaration) (func_literal) (method_elem) (function_type)] @scope.function
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (expression_case)
  (type_case) (communication_case)] @scope

(identifier) @ref
(type_identifier) @ref.type
(qualified_type package: (_) @ref.type)
(qualified_type name: (_) @ignore)
(type_parameter_declaration name: (_) @ignore)
(keyed_element . (literal_element (identifier) @ignore))

((function_declaration name: (_) @test) (#match? @test "^(Test|Benchmark|Fuzz|Example)([^a-z]|$)"))
`,
    hidden: ({ name }) => !/^\p{Lu}/u.test(name),
  },
  sample: 'package p\n\nfunc (s *S[T]) Get(a int) (r error) { return fmt.Errorf("%w", `x`) }\n// é\n',
};
