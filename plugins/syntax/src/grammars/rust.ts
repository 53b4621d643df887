import { lowerRust } from '../worker/code/rust/lower.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(identifier) @value (field_expression) @value (scoped_identifier) @value (self) @value
  (call_expression) @value.call (struct_expression) @value.call
  (try_expression [(call_expression) @value.call (await_expression (call_expression) @value.call)])
  (await_expression (call_expression) @value.call)
  (reference_expression value: [(identifier) @value (call_expression) @value.call (struct_expression) @value.call])]`;

/** Names in the braces of a use declaration. */
const used = (before: string, after: string): string => `
(use_declaration argument: ${before}(use_list [(identifier) (scoped_identifier)] @module)${after}
  (#set! join "::") (#set! split "")) @import
(use_declaration argument: ${before}(use_list (use_as_clause path: (_) @module alias: (_) @local))${after}
  (#set! join "::") (#set! split "")) @import
(use_declaration argument: ${before}(use_list (self))${after} (#set! join "::") (#set! split "")) @import`;

export const rust: Grammar = {
  id: 'rust',
  wasm: 'tree-sitter-rust.wasm',
  lower: lowerRust,
  query: `
(impl_item body: (declaration_list (function_item name: (_) @name body: (_) @body) @method))
(trait_item body: (declaration_list [
  (function_item name: (_) @name body: (_) @body) @method
  (function_signature_item name: (_) @name) @method]))
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name body: (_)? @body) @class
(union_item name: (_) @name body: (_) @body) @class
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @interface
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(mod_item name: (_) @name body: (_) @body) @module
(macro_definition name: (_) @name) @function
(const_item name: (identifier) @name) @variable
(static_item name: (_) @name) @variable
(let_declaration pattern: (identifier) @name value: (closure_expression body: (_) @body)) @function
(impl_item type: [
  (type_identifier) @name
  (primitive_type) @name
  (scoped_type_identifier name: (_) @name)
  (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))]) @scope
[(line_comment) (block_comment) (attribute_item)] @lead
`,
  facts: {
    query: `
(use_declaration argument: [(scoped_identifier) (identifier)] @module (#set! split "")) @import
(use_declaration argument: (use_as_clause path: (_) @module alias: (_) @local) (#set! split "")) @import
(use_declaration argument: (use_wildcard (_) @module) (#set! kind "wildcard")) @import
${used('(scoped_use_list path: (_) @base list: ', ')')}
(use_declaration argument: (scoped_use_list path: (_) @base list: (use_list (use_wildcard (_) @module)))
  (#set! join "::") (#set! kind "wildcard")) @import
${used('(scoped_use_list path: (_) @base list: (use_list (scoped_use_list path: (_) @base.inner list: ', ')))')}
(mod_item name: (_) @module !body (#set! kind "namespace")) @import
(extern_crate_declaration name: (_) @module (#set! kind "namespace")) @import

(call_expression function: [
  (identifier) @name
  (field_expression value: (_) @receiver field: (_) @name)
  (scoped_identifier path: (_) @receiver name: (_) @name)
  (generic_function function: [
    (identifier) @name
    (field_expression value: (_) @receiver field: (_) @name)
    (scoped_identifier path: (_) @receiver name: (_) @name)])] arguments: (_) @arguments) @call
(call_expression function: [(call_expression) (parenthesized_expression) (index_expression)] @receiver
  arguments: (_) @arguments) @call
(macro_invocation macro: [(identifier) @name (scoped_identifier path: (_) @receiver name: (_) @name)]) @call
(struct_expression name: [
  (type_identifier) @name
  (scoped_type_identifier path: (_) @receiver name: (_) @name)
  (generic_type type: (type_identifier) @name)]) @new
(impl_item trait: (_) @implements type: (_) @subtype)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @extends))

(let_declaration pattern: (identifier) @name type: (_) @type) @variable
(let_declaration pattern: (identifier) @name value: ${VALUE}) @variable
(let_declaration pattern: [(identifier) @name (tuple_pattern (identifier) @name)]) @variable
(tuple_struct_pattern type: (_) (identifier) @name) @variable
(for_expression pattern: (identifier) @name) @variable
(const_item name: (_) @name type: (_) @type) @variable
(static_item name: (_) @name type: (_) @type) @variable
(assignment_expression left: (identifier) @name right: ${VALUE}) @variable
(assignment_expression left: (field_expression value: [(self) (identifier)] @owner field: (_) @name)
  right: ${VALUE}) @field
(field_declaration name: (_) @name type: (_) @type) @field
(parameter pattern: (identifier) @name type: (_) @type) @parameter
(self_parameter (self) @name) @receiver_parameter
(closure_parameters [(identifier) @name (parameter pattern: (identifier) @name type: (_) @type)]) @parameter
(function_item return_type: (_) @type) @return
(function_signature_item return_type: (_) @type) @return
(return_expression ${VALUE}) @return
(function_item body: (block ${VALUE} .)) @return
[(function_item) (function_signature_item) (closure_expression)] @scope.function
[(block) (match_arm) (for_expression) (if_expression)] @scope

[(identifier) (crate) (super)] @ref
(type_identifier) @ref.type
(scoped_type_identifier path: [(identifier) (crate) (super)] @ref.type)
(scoped_type_identifier name: (_) @ignore)
(scoped_identifier path: (_) name: (_) @ignore)
(lifetime) @ignore
(attribute_item) @ignore
(type_parameters (type_parameter name: (_) @ignore))
(impl_item trait: (_) body: (declaration_list (function_item name: (_) @exported)))
((attribute_item (attribute [(identifier) @_test (scoped_identifier name: (_) @_test)])) . (function_item name: (_) @test)
  (#match? @_test "^(test|rstest|test_case|bench)$"))
`,
    separator: '\\.|::',
    hidden: ({ signature }, parent) =>
      !signature.startsWith('pub') && !['interface', 'enum'].includes(parent?.kind ?? ''),
  },
  sample:
    '#[derive(A)] pub struct S<\'a, T: B>(T); impl<T> S<T> { fn f(&self) -> u8 { m!("{}", r#"é"#); b\'x\' } }\n',
};
