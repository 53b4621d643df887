/** Versions of the files of a project in four languages, by path, for `randomEdits`. */
export const EDITED_TEXTS = {
  'tsconfig.json': ['{}', '{ "compilerOptions": { "baseUrl": ".", "paths": { "#lib/*": ["lib/*"] } } }'],
  'lib/store.ts': [
    'export class Store {\n  get(key: string) { return key; }\n}\nexport const open = () => new Store();\n',
    'export interface Store { get(key: string): string }\nexport function open(): Store { throw new Error(); }\n',
    'export { open } from "./memory.js";\n',
    'export class {',
  ],
  'lib/memory.ts': [
    'import { Store } from "./store.js";\nexport class Memory extends Store {\n  get(key: string) { return super.get(key); }\n}\nexport const open = () => new Memory();\n',
    'export function open() { return { get: (key: string) => key }; }\n',
  ],
  'src/app.ts': [
    'import { open } from "../lib/store.js";\nexport function run() { return open().get("a"); }\n',
    'import { open } from "#lib/memory";\nconst store = open();\nexport const run = () => store.get("a");\n',
    'import * as lib from "../lib/store.js";\nexport function run(store: lib.Store) { return store.get("b"); }\n',
  ],
  'shop/base.py': [
    'class Base:\n    def load(self):\n        return self.name()\n\n    def name(self):\n        return ""\n',
    'from shop.cart import Cart\n\n\ndef load(cart: Cart):\n    return cart.load()\n',
  ],
  'shop/cart.py': [
    'from .base import Base\n\n\nclass Cart(Base):\n    def name(self):\n        return "cart"\n',
    'import shop.base as base\n\n\ndef total():\n    return base.load(None)\n',
    'def (:\n',
  ],
  'go.mod': ['module acme.org/shop\n\ngo 1.22\n', 'module other\n'],
  'store/store.go': [
    'package store\n\ntype Store struct{}\n\nfunc (s *Store) Get() int { return helper() }\n\nfunc helper() int { return 1 }\n',
    'package store\n\ntype Store interface{ Get() int }\n',
  ],
  'store/memory.go': [
    'package store\n\ntype Memory struct{ *Store }\n\nfunc (m *Memory) Get() int { return m.Store.Get() + helper() }\n',
    'package store\n\nfunc helper() int { return 2 }\n',
  ],
  'main.go': [
    'package main\n\nimport "acme.org/shop/store"\n\nfunc main() { s := &store.Store{}; s.Get() }\n',
    'package main\n\nimport "acme.org/shop/store"\n\nfunc run(m *store.Memory) int { return m.Get() }\n',
  ],
  'com/acme/Store.java': [
    'package com.acme;\n\npublic class Store {\n  public int get() { return 1; }\n}\n',
    'package com.acme;\n\npublic interface Store { int get(); }\n',
  ],
  'com/acme/App.java': [
    'package com.acme;\n\nclass App {\n  private final Store store = new Store();\n  int run() { return store.get(); }\n}\n',
    'package com.acme.app;\n\nimport com.acme.Store;\n\nclass App implements Store {\n  public int get() { return 2; }\n}\n',
  ],
  'README.md': ['# A\n', '# B\n\n## C\n'],
};
