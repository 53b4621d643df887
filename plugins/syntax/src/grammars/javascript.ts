import { lower } from '../worker/code/ecmascript/index.js';
import { blankJsxAmpersands, blankNearJsxAmpersands } from '../worker/preprocessor/jsx-ampersands.js';
import { blankNewerTypeScript } from '../worker/preprocessor/newer-typescript.js';
import { replaceNameWords } from '../worker/preprocessor/name-words.js';
import type { Grammar } from './grammar.js';

/** A value that makes its name a function. */
export const FUNCTION =
  '[(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]';

/** One that has no name of its own. */
const UNNAMED =
  '[(arrow_function body: (_) @body) (function_expression !name body: (_) @body) (generator_function !name body: (_) @body)]';

/** JavaScript and TypeScript differ in the node of a class's name and in the node of a field. */
export function ecmascript(className: string, field: string): string {
  const CLASS = '(class body: (_) @body)';
  return `
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (${className}) @name body: (_) @body) @class

(export_statement value: ${FUNCTION} (#set! name "default")) @function
(export_statement value: ${CLASS} (#set! name "default")) @class
(export_statement "default" [
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
] (#set! name "default")) @function

(variable_declarator name: (identifier) @name value: ${FUNCTION}) @function
(variable_declarator name: (identifier) @name value: ${CLASS}) @class
(program [(lexical_declaration (variable_declarator name: (identifier) @name) @variable)
          (variable_declaration (variable_declarator name: (identifier) @name) @variable)])
(program (export_statement [
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @variable)]))

(method_definition name: (_) @name body: (_) @body) @method
(${field} value: ${FUNCTION}) @method
(pair key: [(property_identifier) (string) (computed_property_name)] @name value: ${FUNCTION}) @method

; exports.a = function, module.exports.a = function, module.exports = function, module.exports = function a
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: ${FUNCTION}) (#eq? @_exports "exports")) @function
(expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    property: (property_identifier) @name)
  right: ${FUNCTION}) (#eq? @_module "module") (#eq? @_exports "exports")) @function
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: ${UNNAMED}) (#eq? @_module "module") (#eq? @_exports "exports") (#set! name "default")) @function
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [
    (function_expression name: (identifier) @name body: (_) @body)
    (generator_function name: (identifier) @name body: (_) @body)
  ]) (#eq? @_module "module") (#eq? @_exports "exports")) @function
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class !name body: (_) @body)) (#eq? @_module "module") (#eq? @_exports "exports") (#set! name "default")) @class
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (${className}) @name body: (_) @body)) (#eq? @_module "module") (#eq? @_exports "exports")) @class

; A.prototype.b = function, A.b = function, this.b = function
(expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @qualifier property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: ${FUNCTION}) (#eq? @_prototype "prototype")) @method
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @qualifier property: (property_identifier) @name)
  right: ${FUNCTION})
  (#not-eq? @qualifier "module")) @method
(expression_statement (assignment_expression
  left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: ${FUNCTION})) @method

(export_statement declaration: (_) @inner) @wrap
(lexical_declaration . (variable_declarator) @inner .) @wrap
(variable_declaration . (variable_declarator) @inner .) @wrap
(pair key: [(property_identifier) (string)] @name value: (object)) @scope
(comment) @lead
(decorator) @lead
`;
}

export const javascript: Grammar = {
  wasm: 'tree-sitter-javascript.wasm',
  query: ecmascript('identifier', 'field_definition property: (_) @name'),
  lower,
  preprocess: [blankNewerTypeScript, replaceNameWords, blankJsxAmpersands, blankNearJsxAmpersands],
  sample:
    'export class A extends B { #x = () => `${1}`; async *m() { return <p a="1">{/r/g}</p>; } }\n// é\n',
};
