import { lowerRust } from '../worker/code/rust/lower.js';
import { itemMacros } from '../worker/preprocessor/rust-item-macros.js';
import type { Grammar } from './grammar.js';

/** `dyn A`; bounds around it, as in `dyn A + Send`, nest to the left. */
const DYNAMIC = `(dynamic_type trait: [
  (type_identifier) @name
  (scoped_type_identifier name: (_) @name)
  (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])])`;

export const rust: Grammar = {
  wasm: 'tree-sitter-rust.wasm',
  lower: lowerRust,
  itemMacros,
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
  ${DYNAMIC}
  (bounded_type . ${DYNAMIC})
  (bounded_type . (bounded_type . ${DYNAMIC}))
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))]) @scope
[(line_comment) (block_comment) (attribute_item)] @lead
`,
  sample:
    '#[derive(A)] pub struct S<\'a, T: B>(T); impl<T> S<T> { fn f(&self) -> u8 { m!("{}", r#"é"#); b\'x\' } }\n',
};
