import { lowerRuby } from '../worker/code/ruby/lower.js';
import type { Grammar } from './grammar.js';

export const ruby: Grammar = {
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
  block: (_) @body (#match? @_define "^(define_method|define_singleton_method)$") (#set! sigil ":")) @method
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
  lower: lowerRuby,
  sample:
    'module A\n  class B < C\n    X = %w[a b].freeze\n    def m(a, *b, k: 1, &c) = "#{a} é"\n    t = <<~T\n      x\n    T\n  end\nend\n',
};
