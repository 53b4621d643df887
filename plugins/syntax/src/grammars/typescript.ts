import { JSX_FACTS, VALUE, ecmascriptFacts } from './ecmascript-facts.js';
import type { FactRules, Grammar } from './grammar.js';
import { lower } from '../worker/code/ecmascript/index.js';
import { ecmascript, hidden } from './javascript.js';

const query = `${ecmascript('type_identifier', 'public_field_definition name: (_) @name')}
(function_signature name: (_) @name) @function
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(module name: (_) @name body: (_)? @body) @module
(internal_module name: (_) @name body: (_)? @body) @module
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(ambient_declaration [
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @variable)])
(internal_module body: (statement_block (export_statement
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable))))
(ambient_declaration (_) @inner) @wrap
(expression_statement (internal_module) @inner) @wrap
`;

const parameter = (rest: string): string => `[(required_parameter ${rest}) (optional_parameter ${rest})]`;

const facts: FactRules = {
  query: `${ecmascriptFacts('public_field_definition name: (_) @name')}
(import_statement "type"? @type_only (import_clause (named_imports
  (import_specifier "type"? @type_only name: (_) @name alias: (_)? @local))) source: (string) @module) @import
(export_statement "type"? @type_only (export_clause
  (export_specifier "type"? @type_only name: (_) @name alias: (_)? @local))
  source: (string) @module (#set! reexport "")) @import
(import_statement (import_require_clause (identifier) @local source: (string) @module)
  (#set! kind "namespace")) @import
(extends_clause value: (_) @extends)
(extends_type_clause type: (_) @extends)
(implements_clause (_) @implements)

(variable_declarator name: (identifier) @name type: (type_annotation (_) @type)) @variable
(public_field_definition name: (_) @name type: (type_annotation (_) @type)) @field
(property_signature name: (_) @name type: (type_annotation (_) @type)) @field
${parameter('pattern: [(identifier) (this)] @name type: (type_annotation (_) @type)')} @parameter
${parameter('pattern: [(identifier) @name (rest_pattern (identifier) @name)]')} @parameter
${parameter('pattern: (rest_pattern (identifier) @name) type: (type_annotation (_) @type)')} @parameter
${parameter('pattern: (object_pattern [(shorthand_property_identifier_pattern) @name (pair_pattern value: (identifier) @name)])')} @parameter
${parameter('pattern: (array_pattern (identifier) @name)')} @parameter
${parameter(`pattern: (identifier) @name value: ${VALUE}`)} @parameter
${parameter('(accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)')} @field
${parameter('"readonly" pattern: (identifier) @name type: (type_annotation (_) @type)')} @field
[(function_declaration return_type: (type_annotation (_) @type))
 (generator_function_declaration return_type: (type_annotation (_) @type))
 (function_expression return_type: (type_annotation (_) @type))
 (arrow_function return_type: (type_annotation (_) @type))
 (method_definition return_type: (type_annotation (_) @type))
 (method_signature return_type: (type_annotation (_) @type))
 (abstract_method_signature return_type: (type_annotation (_) @type))
 (function_signature return_type: (type_annotation (_) @type))] @return
[(function_signature) (method_signature) (abstract_method_signature) (function_type) (constructor_type)
  (call_signature)] @scope.function

(type_identifier) @ref.type
(nested_type_identifier module: (identifier) @ref.type)
(nested_type_identifier name: (_) @ignore)
(type_query (identifier) @ref.type)
(type_parameter name: (_) @ignore)
`,
  hidden,
};

export const typescript: Grammar = {
  id: 'typescript',
  wasm: 'tree-sitter-typescript.wasm',
  query,
  facts,
  lower,
  sample:
    '@d() export abstract class A<T> implements I { readonly x?: T; m = (a: string): void => {}; }\n// é\n',
};

export const tsx: Grammar = {
  id: 'tsx',
  wasm: 'tree-sitter-tsx.wasm',
  query,
  facts: { ...facts, query: `${facts.query}${JSX_FACTS}` },
  lower,
  sample: 'export const A = <T,>(p: P<T>) => <p a="1">{`${p.x}` as string} text</p>;\n// é\n',
};
