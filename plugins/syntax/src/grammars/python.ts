import { lower } from '../worker/code/python/lower.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(identifier) @value (attribute) @value (call) @value.call (await (call) @value.call)
  (parenthesized_expression (call) @value.call)]`;
const PARAMETER = `[
  (identifier) @name
  (default_parameter name: (identifier) @name)
  (typed_default_parameter name: (identifier) @name type: (type (_) @type))
  (typed_parameter . (identifier) @name type: (type (_) @type))
  (typed_parameter . [(list_splat_pattern (identifier) @name) (dictionary_splat_pattern (identifier) @name)]
    type: (type (_) @type))
  (list_splat_pattern (identifier) @name)
  (dictionary_splat_pattern (identifier) @name)]`;

export const python: Grammar = {
  id: 'python',
  wasm: 'tree-sitter-python.wasm',
  query: `
(class_definition body: (block [
  (function_definition name: (_) @name body: (_) @body) @method
  (decorated_definition definition: (function_definition name: (_) @name body: (_) @body) @method)]))
(function_definition name: (_) @name body: (_) @body) @function
(class_definition name: (_) @name body: (_) @body) @class
((lambda body: (_) @body) @function (#set! name "<lambda>"))
(module (expression_statement (assignment left: (identifier) @name) @variable))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @type
(decorated_definition definition: (_) @inner) @wrap
(comment) @lead
(decorator) @lead
`,
  facts: {
    query: `
(import_statement name: (dotted_name) @module (#set! kind "namespace") (#set! local "first")) @import
(import_statement name: (aliased_import name: (_) @module alias: (_) @local) (#set! kind "namespace")) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @name) @import
(import_from_statement module_name: (_) @module name: (aliased_import name: (_) @name alias: (_) @local)) @import
(import_from_statement module_name: (_) @module (wildcard_import) (#set! kind "wildcard")) @import
(future_import_statement) @ignore
(assignment left: (identifier) @_all right: [(list (string) @local) (tuple (string) @local)]
  (#eq? @_all "__all__")) @export

(call function: [(identifier) @name (attribute object: (_) @receiver attribute: (_) @name)]
  arguments: (_) @arguments) @call
(call function: [(call) (subscript) (parenthesized_expression) (lambda)] @receiver arguments: (_) @arguments) @call
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript) (call)] @extends))

(assignment left: (identifier) @name) @variable
(assignment left: (identifier) @name type: (type (_) @type)) @variable
(assignment left: (identifier) @name right: ${VALUE}) @variable
(assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @variable
(named_expression name: (identifier) @name value: ${VALUE}) @variable
(for_statement left: [(identifier) @name (pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @variable
(for_in_clause left: [(identifier) @name (pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @variable
(with_item value: (as_pattern ${VALUE} alias: (as_pattern_target (identifier) @name))) @variable
(except_clause (as_pattern (_) @type alias: (as_pattern_target (identifier) @name))) @variable
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)))) @field
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name type: (type (_) @type))))) @field
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name right: ${VALUE})))) @field
(assignment left: (attribute object: (identifier) @owner attribute: (_) @name) right: ${VALUE}) @field
(assignment left: (attribute object: (identifier) @owner attribute: (_) @name) type: (type (_) @type)) @field
(parameters ${PARAMETER}) @parameter
(lambda_parameters ${PARAMETER}) @parameter
(typed_default_parameter name: (identifier) @name value: ${VALUE}) @parameter
(default_parameter name: (identifier) @name value: ${VALUE}) @parameter
(function_definition return_type: (type (_) @type)) @return
(return_statement ${VALUE}) @return
(lambda body: ${VALUE}) @return
[(function_definition) (lambda)] @scope.function
[(class_definition) (list_comprehension) (set_comprehension) (dictionary_comprehension)
  (generator_expression)] @scope

(decorator [(identifier) @decorator (attribute) @decorator (call function: (_) @decorator)])
(identifier) @ref
(type [(identifier) @ref.type (attribute object: (identifier) @ref.type) (generic_type (identifier) @ref.type)
  (subscript value: (identifier) @ref.type) (binary_operator (identifier) @ref.type)])
(attribute attribute: (_) @ignore)
(keyword_argument name: (_) @ignore)
(type_parameter (type (identifier) @ref.type))

((function_definition name: (_) @test) (#match? @test "^test"))
((class_definition name: (_) @test) (#match? @test "^Test"))
(class_definition name: (_) @test superclasses: (argument_list [(identifier) @_base (attribute attribute: (_) @_base)])
  (#match? @_base "TestCase$"))
`,
    hidden: ({ name }) => /^_(?!_.*__$)/.test(name),
  },
  lower,
  sample: '@d\nclass A(B):\n    """doc"""\n    async def m(self, *a, **k): return f"{a!r}"\n# é\n',
};
