import { lowerCSharp } from '../worker/code/csharp/index.js';
import { isPrivate } from './hidden.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(identifier) @value (member_access_expression) @value (invocation_expression) @value.call
  (object_creation_expression) @value.call (implicit_object_creation_expression) @value.call
  (await_expression (invocation_expression) @value.call)]`;
const TYPE = `[(identifier) @ref.type (nullable_type (identifier) @ref.type)
  (array_type type: (identifier) @ref.type)]`;

export const csharp: Grammar = {
  id: 'csharp',
  wasm: 'tree-sitter-c_sharp.wasm',
  query: `
(class_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @class
(record_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_)? @body) @interface
(enum_declaration name: (_) @name body: (_)? @body) @enum
(delegate_declaration name: (_) @name) @type
(namespace_declaration name: (_) @name body: (_) @body) @module
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @method
(destructor_declaration "~" name: (_) body: (_)? @body (#set! name "~finalizer")) @method
(operator_declaration operator: _ @name body: (_)? @body (#set! prefix "operator")) @method
(conversion_operator_declaration type: (_) @name body: (_)? @body (#set! prefix "operator ")) @method
(indexer_declaration [accessors: (_) @body value: (_) @body] (#set! name "this[]")) @method
(property_declaration name: (_) @name [accessors: (_) @body value: (arrow_expression_clause) @body]) @method
(event_declaration name: (_) @name accessors: (_)? @body) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(field_declaration (variable_declaration (variable_declarator name: (_) @name (lambda_expression body: (_) @body)))) @method
(field_declaration (modifier) @_modifier (variable_declaration (variable_declarator name: (_) @name))
  (#eq? @_modifier "const")) @variable
(field_declaration (modifier) @_static (modifier) @_readonly (variable_declaration (variable_declarator name: (_) @name))
  (#eq? @_static "static") (#eq? @_readonly "readonly")) @variable
(comment) @lead
(attribute_list) @lead
`,
  facts: {
    query: `
(using_directive !name [(identifier) (qualified_name)] @module (#set! kind "wildcard")) @import
(using_directive name: (_) @local (_) @module . ";" (#set! split "")) @import

(invocation_expression function: [
  (identifier) @name
  (generic_name . (identifier) @name)
  (member_access_expression expression: (_) @receiver name: [(identifier) @name (generic_name . (identifier) @name)])]
  arguments: (_) @arguments) @call
(invocation_expression function: (conditional_access_expression condition: (_) @receiver
  (member_binding_expression name: [(identifier) @name (generic_name . (identifier) @name)]))
  arguments: (_) @arguments) @call
(invocation_expression function: [(invocation_expression) (parenthesized_expression) (element_access_expression)] @receiver
  arguments: (_) @arguments) @call
(object_creation_expression type: [
  (identifier) @name
  (generic_name . (identifier) @name)
  (qualified_name qualifier: (_) @receiver name: [(identifier) @name (generic_name . (identifier) @name)])]
  arguments: (_)? @arguments) @new
(implicit_object_creation_expression (argument_list) @arguments) @new
(constructor_initializer ["base" "this"] @name (argument_list) @arguments) @new
(base_list [(identifier) (generic_name) (qualified_name)] @extends)
(base_list (primary_constructor_base_type type: (_) @extends))

(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @variable
(variable_declaration (variable_declarator name: (_) @name ${VALUE})) @variable
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @variable
(foreach_statement type: (_) @type left: (identifier) @name) @variable
(catch_declaration type: (_) @type name: (_) @name) @variable
(declaration_pattern type: (_) @type name: (_) @name) @variable
(assignment_expression left: (identifier) @name right: ${VALUE}) @variable
(assignment_expression left: (member_access_expression expression: ["this" (identifier)] @owner name: (_) @name)
  right: ${VALUE}) @field
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name ${VALUE}))) @field
(property_declaration type: (_) @type name: (_) @name) @field
(enum_member_declaration name: (_) @name) @field
(record_declaration (parameter_list (parameter type: (_) @type name: (_) @name))) @field
(class_declaration (parameter_list (parameter type: (_) @type name: (_) @name))) @field
(parameter type: (_) @type name: (_) @name) @parameter
(parameter !type name: (_) @name) @parameter
(parameter_list type: (_) @type name: (identifier) @name) @parameter
(lambda_expression parameters: (implicit_parameter) @name) @parameter
(method_declaration returns: (_) @type) @return
(local_function_statement type: (_) @type) @return
(return_statement ${VALUE}) @return
(arrow_expression_clause ${VALUE}) @return
[(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)] @scope.function
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section)] @scope

(attribute name: (_) @decorator)
(identifier) @ref
(generic_name . (identifier) @ref.type)
(parameter type: ${TYPE})
(variable_declaration type: ${TYPE})
(property_declaration type: ${TYPE})
(method_declaration returns: ${TYPE})
(catch_declaration type: ${TYPE})
(declaration_pattern type: ${TYPE})
(type_argument_list ${TYPE})
(type_parameter_constraint (type (identifier) @ref.type))
(member_access_expression name: (_) @ignore)
(member_binding_expression) @ignore
(qualified_name name: (identifier) @ignore)
(namespace_declaration name: (_) @ignore)
(file_scoped_namespace_declaration name: (_) @ignore)
(type_parameter) @ignore
(type_parameter_constraints_clause . (identifier) @ignore)
(argument name: (_) @ignore)
(method_declaration (attribute_list (attribute name: (_) @_test)) name: (_) @test
  (#match? @_test "^(.*[.])?(Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)$"))
`,
    hidden: (symbol, parent) =>
      parent?.kind === 'class'
        ? !/\b(?:public|protected|internal)\b/.test(symbol.signature)
        : isPrivate(symbol),
  },
  lower: lowerCSharp,
  sample:
    'namespace A.B;\n[X] public partial class C<T> : D where T : new() { int P { get; set; } = 1; void M() => Q($"{P}é", @"x"); }\n',
};
