import { lower } from '../worker/code/python/lower.js';
import type { Grammar } from './grammar.js';

export const python: Grammar = {
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
  lower,
  sample: '@d\nclass A(B):\n    """doc"""\n    async def m(self, *a, **k): return f"{a!r}"\n# é\n',
};
