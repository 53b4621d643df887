import { lowerPhp } from '../worker/code/php/lower.js';
import type { Grammar } from './grammar.js';

export const php: Grammar = {
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
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]) (#set! sigil "$")) @function
(const_declaration (const_element . (name) @name)) @variable
(program (expression_statement (function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) (#eq? @_define "define")) @variable)
(comment) @lead
(attribute_list) @lead
`,
  lower: lowerPhp,
  sample:
    '<html><?php\nnamespace A\\B;\n#[X] final class C extends D { public function m(?int $a = null): static { return fn() => "é {$a}"; } }\n$h = <<<T\nx\nT;\n',
};
