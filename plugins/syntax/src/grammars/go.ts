import { lowerGo } from '../worker/code/go/lower.js';
import type { Grammar } from './grammar.js';

export const go: Grammar = {
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
(source_file (const_declaration (const_spec (identifier) @name) @variable))
(source_file (var_declaration (var_spec name: (_) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @variable)))
(type_declaration "type" . [(type_spec) (type_alias)] @inner .) @wrap
(const_declaration "const" . (const_spec) @inner .) @wrap
(var_declaration "var" . (var_spec) @inner .) @wrap
(comment) @lead
`,
  sample: 'package p\n\nfunc (s *S[T]) Get(a int) (r error) { return fmt.Errorf("%w", `x`) }\n// é\n',
};
