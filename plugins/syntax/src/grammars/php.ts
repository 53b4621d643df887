import { isPrivate } from './hidden.js';
import { lowerPhp } from '../worker/code/php/lower.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(variable_name) @value (member_access_expression) @value (class_constant_access_expression) @value
  (function_call_expression) @value.call (member_call_expression) @value.call (scoped_call_expression) @value.call
  (nullsafe_member_call_expression) @value.call (object_creation_expression) @value.call]`;

export const php: Grammar = {
  id: 'php',
  wasm: 'tree-sitter-php.wasm',
  query: `
(class_declaration name: (_) @name body: (_) @body) @class
(trait_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(namespace_definition name: (_) @name body: (_) @body) @module
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(expression_statement (assignment_expression left: (variable_name) @name
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])) @function
(const_declaration (const_element . (name) @name)) @variable
(program (expression_statement (function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) (#eq? @_define "define")) @variable)
(comment) @lead
(attribute_list) @lead
`,
  facts: {
    query: `
(namespace_use_declaration (namespace_use_clause . [(qualified_name) (name)] @module alias: (name)? @local)
  (#set! split "")) @import
(namespace_use_declaration (namespace_name) @base body: (namespace_use_group
  (namespace_use_clause . [(name) (namespace_name) (qualified_name)] @module alias: (name)? @local))
  (#set! join "\\\\") (#set! split "")) @import
(include_expression (string) @module (#set! kind "load")) @import
(include_once_expression (string) @module (#set! kind "load")) @import
(require_expression (string) @module (#set! kind "load")) @import
(require_once_expression (string) @module (#set! kind "load")) @import

(function_call_expression function: [(name) (qualified_name)] @name arguments: (_) @arguments) @call
(function_call_expression function: [(variable_name) (parenthesized_expression) (function_call_expression)
  (member_access_expression)] @receiver arguments: (_) @arguments) @call
(member_call_expression object: (_) @receiver name: (_) @name arguments: (_) @arguments) @call
(nullsafe_member_call_expression object: (_) @receiver name: (_) @name arguments: (_) @arguments) @call
(scoped_call_expression scope: (_) @receiver name: (_) @name arguments: (_) @arguments) @call
(object_creation_expression [(name) (qualified_name)] @name (arguments)? @arguments) @new
(base_clause (_) @extends)
(class_interface_clause (_) @implements)
(declaration_list (use_declaration [(name) (qualified_name)] @extends))

(assignment_expression left: (variable_name) @name) @variable
(assignment_expression left: (variable_name) @name right: ${VALUE}) @variable
(foreach_statement (_) (variable_name) @name) @variable
(foreach_statement (pair (_) (variable_name) @name)) @variable
(catch_clause type: (type_list . (_) @type) name: (_) @name) @variable
(assignment_expression left: (member_access_expression object: (variable_name) @owner name: (_) @name)
  right: ${VALUE}) @field
(property_declaration (property_element name: (_) @name)) @field
(property_declaration type: (_) @type (property_element name: (_) @name)) @field
(property_promotion_parameter type: (_)? @type name: (_) @name) @field
(enum_case name: (_) @name) @field
(property_promotion_parameter type: (_)? @type name: (_) @name) @parameter
(simple_parameter type: (_)? @type name: (_) @name) @parameter
(variadic_parameter type: (_)? @type name: (_) @name) @parameter
[(function_definition return_type: (_) @type) (method_declaration return_type: (_) @type)] @return
(return_statement ${VALUE}) @return
(arrow_function body: ${VALUE}) @return
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope.function

(attribute . (_) @decorator)
(named_type . (_) @ref.type)
[(class_constant_access_expression . [(name) (qualified_name)] @ref)
 (scoped_property_access_expression scope: [(name) (qualified_name)] @ref)]
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @ref.type)
(variable_name) @ref
[(argument (name) @ref) (return_statement (name) @ref) (assignment_expression right: (name) @ref)
 (binary_expression (name) @ref)]
((method_declaration name: (_) @test) (#match? @test "^test"))
((method_declaration attributes: (attribute_list (attribute_group (attribute . (_) @_test))) name: (_) @test)
  (#match? @_test "Test$"))
`,
    separator: '\\??->|::|\\\\',
    hidden: isPrivate,
  },
  lower: lowerPhp,
  sample:
    '<html><?php\nnamespace A\\B;\n#[X] final class C extends D { public function m(?int $a = null): static { return fn() => "é {$a}"; } }\n$h = <<<T\nx\nT;\n',
};
