import { lowerCSharp } from '../worker/code/csharp/index.js';
import { blankConditionals } from '../worker/preprocessor/conditionals.js';
import { openBodies } from '../worker/preprocessor/csharp-bodies.js';
import type { Grammar } from './grammar.js';

export const csharp: Grammar = {
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
  lower: lowerCSharp,
  preprocess: [openBodies, blankConditionals],
  sample:
    'namespace A.B;\n[X] public partial class C<T> : D where T : new() { int P { get; set; } = 1; void M() => Q($"{P}é", @"x"); }\n',
};
