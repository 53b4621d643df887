import { lowerJava } from '../worker/code/java/index.js';
import type { Grammar } from './grammar.js';

export const java: Grammar = {
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
  lower: lowerJava,
  sample:
    'package a.b;\n@Ann("é") public class A<T> { static final int K = 1; @Override <X> X m(int... a) throws E { return () -> 1; } }\n',
};
