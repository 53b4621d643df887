import { lowerRuby } from '../worker/code/ruby/lower.js';
import type { Grammar } from './grammar.js';

const VALUE = `[(identifier) @value (constant) @value (scope_resolution) @value (instance_variable) @value
  (self) @value (call) @value.call]`;
const PARAMETER = `[(identifier) @name (optional_parameter name: (_) @name) (keyword_parameter name: (_) @name)
  (splat_parameter name: (_) @name) (hash_splat_parameter name: (_) @name) (block_parameter name: (_) @name)]`;

export const ruby: Grammar = {
  id: 'ruby',
  wasm: 'tree-sitter-ruby.wasm',
  query: `
(module name: (_) @name body: (_)? @body) @module
(class name: (_) @name body: (_)? @body) @class
(class body: (body_statement [
  (method name: (_) @name body: (_)? @body) @method
  (call arguments: (argument_list (method name: (_) @name body: (_)? @body) @method))]))
(module body: (body_statement [
  (method name: (_) @name body: (_)? @body) @method
  (call arguments: (argument_list (method name: (_) @name body: (_)? @body) @method))]))
(do_block body: (body_statement (method name: (_) @name body: (_)? @body) @method))
(singleton_class body: (body_statement (method name: (_) @name body: (_)? @body) @method))
(singleton_method name: (_) @name body: (_)? @body) @method
(method name: (_) @name body: (_)? @body) @function
(call method: (identifier) @_define arguments: (argument_list . (simple_symbol) @name)
  block: (_) @body (#match? @_define "^(define_method|define_singleton_method)$")) @method
(assignment left: (constant) @name
  right: (call receiver: (constant) @_struct method: (identifier) @_new block: (_) @body)
  (#match? @_struct "^(Struct|Class|Data)$") (#match? @_new "^(new|define)$")) @class
(assignment left: (constant) @name
  right: (call receiver: (constant) @_struct method: (identifier) @_new)
  (#match? @_struct "^(Struct|Class|Data)$") (#match? @_new "^(new|define)$")) @class
(assignment left: [(constant) (identifier)] @name right: (lambda body: (_) @body)) @function
(assignment left: (constant) @name) @variable
(call arguments: (argument_list . (method) @inner .)) @wrap
(comment) @lead
`,
  facts: {
    query: `
(call !receiver method: (identifier) @_require arguments: (argument_list . (string) @module)
  (#match? @_require "^(require|load)$") (#set! kind "load")) @import
(call !receiver method: (identifier) @_require arguments: (argument_list . (string) @module)
  (#eq? @_require "require_relative") (#set! kind "load") (#set! prefix "./")) @import

(call receiver: (_)? @receiver method: (_) @name arguments: (_)? @arguments) @call
(call receiver: [(constant) @name (scope_resolution) @name] method: (identifier) @_new arguments: (_)? @arguments
  (#eq? @_new "new")) @new
(superclass (_) @extends)
(call !receiver method: (identifier) @_mixin arguments: (argument_list [(constant) (scope_resolution)] @extends)
  (#match? @_mixin "^(include|extend|prepend)$"))

(assignment left: [(identifier) @name (left_assignment_list (identifier) @name)]) @variable
(assignment left: [(identifier) (constant) (global_variable)] @name right: ${VALUE}) @variable
(operator_assignment left: (identifier) @name right: ${VALUE}) @variable
(exception_variable (identifier) @name) @variable
(rescue exceptions: (exceptions . (_) @type) variable: (exception_variable (identifier) @name)) @variable
(assignment left: [(instance_variable) (class_variable)] @name right: ${VALUE}) @field
(operator_assignment left: [(instance_variable) (class_variable)] @name right: ${VALUE}) @field
(assignment left: (call receiver: (self) @owner method: (_) @name) right: ${VALUE}) @field
(method_parameters ${PARAMETER}) @parameter
(block_parameters ${PARAMETER}) @parameter
(lambda_parameters ${PARAMETER}) @parameter
(return (argument_list . ${VALUE})) @return
(method body: (body_statement ${VALUE} .)) @return
[(method) (singleton_method) (block) (do_block) (lambda)] @scope.function

[(identifier) (constant)] @ref
(scope_resolution name: (_) @ignore)
((method name: (_) @test) (#match? @test "^test_"))
(class name: (_) @test superclass: (superclass [(constant) (scope_resolution)] @_base)
  (#match? @_base "^(Minitest::Test|Test::Unit::TestCase|ActiveSupport::TestCase)$"))
(call method: (identifier) @_test arguments: (argument_list . (_) @title) block: (_)
  (#match? @_test "^(describe|context|it|specify|test|scenario|feature)$")) @case
`,
    separator: '::',
    hidden: () => false,
  },
  lower: lowerRuby,
  sample:
    'module A\n  class B < C\n    X = %w[a b].freeze\n    def m(a, *b, k: 1, &c) = "#{a} é"\n    t = <<~T\n      x\n    T\n  end\nend\n',
};
