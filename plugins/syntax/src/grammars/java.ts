import { lowerJava } from '../worker/code/java/index.js';
import { isPrivate } from './hidden.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(identifier) @value (field_access) @value (this) @value (method_invocation) @value.call
  (object_creation_expression) @value.call]`;

export const java: Grammar = {
  id: 'java',
  wasm: 'tree-sitter-java.wasm',
  query: `
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(compact_constructor_declaration name: (_) @name body: (_) @body) @method
(annotation_type_element_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name value: (lambda_expression body: (_) @body))) @method
(field_declaration (modifiers) @_modifiers declarator: (variable_declarator name: (_) @name)
  (#match? @_modifiers "static") (#match? @_modifiers "final")) @variable
(constant_declaration declarator: (variable_declarator name: (_) @name)) @variable
(enum_constant name: (_) @name body: (class_body)) @scope
[(line_comment) (block_comment) (marker_annotation) (annotation)] @lead
`,
  facts: {
    query: `
(import_declaration [(scoped_identifier) (identifier)] @module . ";" (#set! split "")) @import
(import_declaration (_) @module (asterisk) (#set! kind "wildcard")) @import

(method_invocation object: (_)? @receiver name: (_) @name arguments: (_) @arguments) @call
(object_creation_expression type: [
  (type_identifier) @name
  (generic_type . (type_identifier) @name)
  (scoped_type_identifier (_) @receiver (type_identifier) @name .)
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @name .))] arguments: (_) @arguments) @new
(explicit_constructor_invocation constructor: (_) @name arguments: (_) @arguments) @new
(superclass (_) @extends)
(extends_interfaces (type_list (_) @extends))
(super_interfaces (type_list (_) @implements))

(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @name)) @variable
(local_variable_declaration declarator: (variable_declarator name: (_) @name value: ${VALUE})) @variable
(enhanced_for_statement type: (_) @type name: (_) @name) @variable
(catch_formal_parameter (catch_type . (_) @type) name: (_) @name) @variable
(resource type: (_) @type name: (_) @name) @variable
(resource name: (_) @name value: ${VALUE}) @variable
(instanceof_expression right: (_) @type name: (_) @name) @variable
(type_pattern (_) @type (identifier) @name) @variable
(assignment_expression left: (identifier) @name right: ${VALUE}) @variable
(assignment_expression left: (field_access object: [(this) (identifier)] @owner field: (_) @name)
  right: ${VALUE}) @field
[(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @name))
 (constant_declaration type: (_) @type declarator: (variable_declarator name: (_) @name))] @field
(field_declaration declarator: (variable_declarator name: (_) @name value: ${VALUE})) @field
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (_) @name))) @field
(enum_constant name: (_) @name) @field
(formal_parameter type: (_) @type name: (_) @name) @parameter
(spread_parameter (_) @type (variable_declarator name: (_) @name)) @parameter
(lambda_expression parameters: [(identifier) @name (inferred_parameters (identifier) @name)]) @parameter
(method_declaration type: (_) @type) @return
(annotation_type_element_declaration type: (_) @type) @return
(return_statement ${VALUE}) @return
(lambda_expression body: ${VALUE}) @return
[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression)] @scope.function
[(block) (for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement) (class_body)] @scope

[(marker_annotation name: (_) @decorator) (annotation name: (_) @decorator)]
(identifier) @ref
(type_identifier) @ref.type
(package_declaration) @ignore
(scoped_type_identifier (_) (type_identifier) @ignore .)
((type_identifier) @ignore (#eq? @ignore "var"))
(field_access field: (_) @ignore)
(element_value_pair key: (_) @ignore)
(type_parameter . (_) @ignore)
(labeled_statement . (identifier) @ignore)

(method_declaration (modifiers [(marker_annotation name: (_) @_test) (annotation name: (_) @_test)]) name: (_) @test
  (#match? @_test "^(.*[.])?(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)$"))
`,
    separator: '\\.|::',
    hidden: isPrivate,
  },
  lower: lowerJava,
  sample:
    'package a.b;\n@Ann("é") public class A<T> { static final int K = 1; @Override <X> X m(int... a) throws E { return () -> 1; } }\n',
};
