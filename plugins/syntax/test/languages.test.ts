import assert from 'node:assert/strict';
import { isTestFile } from '@service-mcp/plugin-syntax/contract';
import { openSyntax, type OpenSyntax } from './open.js';

describe('syntax: languages', () => {
  let syntax: OpenSyntax;
  before(async () => {
    syntax = await openSyntax();
  });
  after(() => syntax.close());

  it('knows a file by its name, extension or #! line', () => {
    const cases: [string, string | undefined, string | null][] = [
      ['src/a.ts', undefined, 'typescript'],
      ['a.TSX', undefined, 'typescript'],
      ['a.d.mts', undefined, 'typescript'],
      ['a.jsx', undefined, 'javascript'],
      ['README.MD', undefined, 'markdown'],
      ['a/b.c/LICENSE', undefined, 'text'],
      ['Dockerfile', undefined, 'dockerfile'],
      ['dockerfile.prod', undefined, 'dockerfile'],
      ['.env.local', undefined, 'properties'],
      ['go.mod', undefined, 'gomod'],
      ['x.yml', undefined, 'yaml'],
      ['x.h', undefined, 'c'],
      ['x.h', 'struct a { int b; };', 'c'],
      ['x.h', '#include <stdio.h>\n/* a\n   class of\n   using x; a::b */ // c::d\nint a;', 'c'],
      ['x.h', '#include <string>\nstd::string a();', 'cpp'],
      ['bin/run', '#!/usr/bin/env -S python3.12 -u\n', 'python'],
      ['bin/run', '#!/bin/bash\n', 'shell'],
      ['bin/run', 'text', null],
      ['bin/run', undefined, null],
      ['a.unknown', '#!/usr/bin/env node\n', 'javascript'],
      ['trailing.', undefined, null],
      ['', undefined, null],
      ['constructor', undefined, null],
    ];
    for (const [path, text, expected] of cases) assert.equal(syntax.languageOf(path, text), expected, path);
  });

  // The event loop of the service waits meanwhile, for each file of an ingest.
  it('tells a header of C from one of C++ in linear time', () => {
    const startedAt = performance.now();
    for (let n = 0; n < 10; n++) assert.equal(syntax.languageOf('x.h', '\n/*'.repeat(300_000)), 'c');
    assert.ok(performance.now() - startedAt < 2000); // over ten seconds where each comment is looked for again
    assert.equal(syntax.languageOf('x.h', 'int a; /* class b\nstd::c'), 'c');
  });

  it('knows a language by what people call it', () => {
    for (const [name, id] of [
      ['typescript', 'typescript'],
      ['TypeScript', 'typescript'],
      ['ts', 'typescript'],
      ['tsx', 'typescript'],
      ['.py', 'python'],
      ['*.rs', 'rust'],
      ['C#', 'csharp'],
      ['c++', 'cpp'],
      ['golang', 'go'],
      ['md', 'markdown'],
      ['gomod', 'gomod'],
      ['c', 'c'],
      ['Klingon', 'klingon'],
      ['constructor', 'constructor'],
      ['', ''],
    ] as const)
      assert.equal(syntax.languageNamed(name), id, name);
  });

  it('lists the languages with symbols', () => {
    assert.equal(
      syntax.languages().join(' '),
      'ada asciidoc astro batch c clojure cmake cobol cpp crystal csharp dart dockerfile elixir elm erlang fortran fsharp gdscript go graphql groovy haskell hcl html java javascript julia jupyter kotlin latex lisp lua makefile markdown nim objectivec ocaml org pascal perl php powershell prisma protobuf python r racket restructuredtext ruby rust scala scheme shell solidity sql starlark svelte swift systemverilog tcl thrift typescript typst vb verilog vhdl vim vue zig',
    );
  });

  it('tells files of tests by their paths', () => {
    for (const path of [
      'a/StoreSpec.kt',
      'spec/models/a.rb',
      'specs/a.test.ts',
      'a/b_spec.lua',
      'ATest.java',
    ])
      assert.equal(isTestFile(path), true, path);
    for (const path of [
      'java/security/spec/Key.java',
      'a/KeySpec.java',
      'specs/a.md',
      'inspec/a.rb',
      'spec.ts',
    ])
      assert.equal(isTestFile(path), false, path);
  });

  it('takes a given language over the path', async () => {
    const { language, symbols } = await syntax.parse({
      path: 'a.txt',
      language: 'python',
      text: 'def f(): pass',
    });
    assert.deepEqual([language, symbols[0]?.name], ['python', 'f']);
  });

  it('takes names as they are written in the language', async () => {
    for (const [path, text, ...expected] of [
      ['a.py', 'class Parser:\n  def parse_operator(self): pass', 'Parser', 'Parser.parse_operator'],
      ['a.c', 'int unary_operator(void) { return 1; }', 'unary_operator'],
      ['a.c', 'struct a { int x; } b; enum c { D } e[2] = {D};', 'b', 'a', 'e', 'c'],
      ['a.rs', 'mod operator { fn binary_operator() {} }', 'operator', 'operator.binary_operator'],
      ['a.rs', 'impl dyn A { fn b() {} } impl dyn x::C<T> + Send + Sync { fn d() {} }', 'A.b', 'C.d'],
      ['a.cpp', 'bool ns::A::operator < (B) { return 1; }', 'ns.A.operator <'],
      ['a.cpp', 'struct A { operator bool() { return 1; } };', 'A', 'A.operator bool()'],
      [
        'a.cpp',
        'extern template class A<B, C>;\ntemplate struct n::D<int>;\nenum : unsigned { E };\nstruct F { enum : int { G }; };',
        'F',
      ],
      ['a.cpp', 'A<B>::~A() {} void operators::run() {}', 'A.~A', 'operators.run'],
      ['a.cs', 'class A { public static A operator <(A a, A b) => a; }', 'A', 'A.operator<'],
      [
        'a.cs',
        'class A(string m = ";") : B(m);\r\n// class X;\ninterface I; // i\nclass C { class D; void E() {} }\nstruct F;\n',
        'A',
        'I',
        'C',
        'C.D',
        'C.E',
        'F',
      ],
      ['a.ts', 'const $fetch = () => 1; const fetch = () => 2;', '$fetch', 'fetch'],
      ['a.js', 'const a = { $onInit() {}, [":b"]: () => 1 };', 'a', 'a.$onInit', 'a.:b'],
      ['a.php', '<?php $f = fn() => 1; function g() {}', 'f', 'g'],
      [
        'a.go',
        'package p\nconst a, b = 1, 2\nconst (\n\tc, d = iota, f\n\te int = 1\n)',
        'a',
        'b',
        'c',
        'd',
        'e',
      ],
      [
        'a.sql',
        'DELIMITER $$\nCREATE PROCEDURE a()\nBEGIN\n  SELECT 1;\nEND$$\nCREATE PROCEDURE b()\nBEGIN\nEND $$\nDELIMITER ;\nCREATE TABLE c(d int);',
        'a',
        'b',
        'c',
      ],
      ['a.sql', 'create index on a(b);\ncreate index concurrently on a(c);\ncreate index d on a(b);', 'd'],
      ['a.rb', 'class A\n  define_method(:b) { 1 }\nend', 'A', 'A.b'],
    ] as const) {
      const { symbols } = await syntax.parse({ path, text });
      assert.deepEqual(
        symbols.map(({ qualifiedName }) => qualifiedName),
        expected,
        text,
      );
    }
  });

  it('ends a block of a document with a line like the one that began it', async () => {
    for (const [path, text] of [
      ['a.adoc', '----\n----+----\n== b\n-----\n== c\n```\n----\n== A\n```ruby\n----\n== b\n```\n== D'],
      ['a.adoc', '....\n== b\n----\n....\n== A\n.... text\n== D'],
      [
        'a.tex',
        '\\begin{verbatim}\n\\end{minted}\n\\section{b}\n\\end{verbatim}\n\\section{A}\n\\begin{lstlisting}\\end{lstlisting}\n\\section{D}',
      ],
      ['a.org', '#+BEGIN_SRC sh\n#+end_example\n* b\n#+end_src\n* A\n#+begin_srcs\n* D'],
      ['a.typ', '```rust\n= b\n```\n= A\n```rust f()```\n= D\n````\n```\n= e\n````'],
    ] as const) {
      const { symbols } = await syntax.parse({ path, text });
      const names = symbols.map(({ name }) => name);
      assert.deepEqual(names, ['A', 'D'], text);
    }
  });

  it('gives headings on one line their own sections', async () => {
    const text = '<body><h1>A</h1><p>a</p><h2>B</h2>b</body>\n  <h2>C</h2>c';
    const { symbols } = await syntax.parse({ path: 'a.html', text });
    assert.deepEqual(
      symbols.map(({ start, end }) => text.slice(start, end)),
      [text.slice(6), '<h2>B</h2>b</body>', '  <h2>C</h2>c'],
    );
  });

  it('drops declarations with very long qualified names, and what they hold', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(200));
    const kept = names.slice(0, 4).map((_, at) => names.slice(0, at + 1).join('.'));
    for (const [path, text] of [
      ['a.js', `${names.map((name) => `function ${name}() {`).join('')}${'}'.repeat(6)} function g() {}`],
      ['a.cpp', `${names.map((name) => `struct ${name} {`).join('')}${'};'.repeat(6)} void g() {}`],
      ['a.kt', `${names.map((name, at) => `${' '.repeat(at)}class ${name}`).join('\n')}\nfun g() {}`],
    ] as const) {
      const { complete, symbols } = await syntax.parse({ path, text });
      const found = symbols.map(({ qualifiedName }) => qualifiedName);
      assert.deepEqual(found, [...kept, 'g'], path);
      assert.equal(complete, path === 'a.kt', path);
    }
  });

  it('begins signatures behind annotations with others or comments in them', async () => {
    for (const [path, text, expected] of [
      ['A.java', 'class A { @B({@C(1), @D}) @E public void f() {} }', 'public void f()'],
      ['a.py', '@parametrize([\n  1, # one\n])\ndef test_a(x): pass', 'def test_a(x)'],
      ['a.ts', '@Component({ /* note */ a: 1 })\nexport class B {}', 'export class B'],
      ['A.cs', 'class A { [B(/* c */ 1)] void F() {} }', 'void F()'],
    ] as const) {
      const { symbols } = await syntax.parse({ path, text });
      assert.equal(symbols.at(-1)?.signature, expected, text);
    }
  });

  it('gives each declaration the annotations above it, but not declarations that begin with one', async () => {
    const { symbols } = await syntax.parse({
      path: 'a.kt',
      text: '@Test fun a() {}\n@Test fun b() {}\n// about c\n@Slow\n@Test fun c() {}\n',
    });
    assert.deepEqual(
      symbols.map(({ name, startLine, endLine }) => [name, startLine, endLine]),
      [
        ['a', 1, 1],
        ['b', 2, 2],
        ['c', 3, 5],
      ],
    );
  });

  it('reads strings of C that a line with a carriage return continues', async () => {
    const text = 'const char *a = "b \\\r\n c";\r\nint d(void) { return 1; }\r\n';
    for (const path of ['a.c', 'a.cpp']) {
      const { complete, symbols } = await syntax.parse({ path, text });
      assert.deepEqual([complete, ...symbols.map(({ name }) => name)], [true, 'a', 'd']);
    }
  });

  it('ends declarations by their indentation, whatever that is made of', async () => {
    for (const [path, text, ...expected] of [
      ['a.kt', '\ufefffun a() {\n}\nfun b() {}', 'a 1-2', 'b 3-3'],
      ['a.kt', 'class A {\n    fun b() {\n\tc()\n    }\n}\nfun d() {}', 'A 1-5', 'b 2-4', 'd 6-6'],
      ['a.kt', 'class A {\n\tfun b() {\n\t\tc()\n\t}\n}', 'A 1-5', 'b 2-4'],
    ] as const) {
      const { symbols } = await syntax.parse({ path, text });
      const found = symbols.map(({ name, startLine, endLine }) => `${name} ${startLine}-${endLine}`);
      assert.deepEqual(found, expected, text);
    }
  });

  it('reads forms of Clojure with any metadata before the name', async () => {
    const text = [
      '(def ^:private ^String a 1)',
      '(defn ^{:doc "b"} b [] 1)',
      '(def ^{:doc "c"}c 1)',
      `(def ${'^:'.repeat(190)}`, // of which nothing is a name
      '(def d 1)',
    ];
    const { symbols } = await syntax.parse({ path: 'a.clj', text: text.join('\n\n') });
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['a', 'b', 'c', 'd'],
    );
  });
});
