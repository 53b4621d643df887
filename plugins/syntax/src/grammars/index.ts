import { c } from './c.js';
import { cpp } from './cpp.js';
import { csharp } from './csharp.js';
import { go } from './go.js';
import type { Grammar } from './grammar.js';
import { java } from './java.js';
import { javascript } from './javascript.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { tsx, typescript } from './typescript.js';

export const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  [c, cpp, csharp, go, java, javascript, php, python, ruby, rust, tsx, typescript].map((grammar) => [
    grammar.id,
    grammar,
  ]),
);
