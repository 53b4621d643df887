import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EMBEDDED } from '@service-mcp/plugin-syntax/internals';

/** What is read of a text, without blanks at the ends of lines. */
function read(language: string, text: string): string[] {
  const source = EMBEDDED.get(language)?.(text);
  assert.ok(source);
  return source.text.split('\n').map((line) => line.trimEnd());
}

/** What is read of the template of a component. */
function readTemplate(template: string): string {
  return read('vue', `<template>\n${template}\n</template>`).join('').trim().replaceAll(/\s+/g, ' ');
}

function readSvelte(markup: string): string {
  return read('svelte', markup).join('').trim().replaceAll(/\s+/g, ' ');
}

const PIECES = [
  '<template>',
  '</template>',
  '<script lang="ts">',
  '</script>',
  '<style>',
  '---\n',
  '\r\n',
  '"',
  '<A v-for="a in b" :c="d">',
  '<li v-for="x of y">',
  '</li>',
  '</A>',
  '<B @x="y"/>',
  '{{ z }}',
  "'",
  '<B let:v let:w={{ x }}>',
  '</B>',
  '{@const y = {\n}}',
  '{#if v}',
  '{:else}',
  '{/if}',
  '<p :q="r" v-for="(r,\n s) in t">',
  '</p>',
  '{#each a as b, c (d)}',
  '{/each}',
  '{#await p}',
  '{:then q}',
  '{:catch r}',
  '{/await}',
  '{',
  '}',
  '{#snippet s(t)}',
  '{/snippet}',
  '{...u}',
  'style={{ v: 1 }}',
  '<!--',
  '-->',
  '`${',
  '🙂漢',
  '//',
  '{"cells":[{"cell_type":"code","source":["a\\n",\n"%b"]}]}',
  '[',
  ':{',
  '\\',
];

/** Pieces of markup and scripts in any order. */
const MARKUP = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((parts) => parts.join(''));

describe('syntax: code inside of other files', () => {
  it('keeps the length and the line breaks of every text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EMBEDDED.keys()), MARKUP, (language, text) => {
        const source = EMBEDDED.get(language)?.(text);
        assert.equal(source?.text.length, text.length);
        assert.equal(source?.text.replaceAll(/[^\r\n]/g, ''), text.replaceAll(/[^\r\n]/g, ''));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads each script of a Vue component in the richest of their languages', () => {
    const text =
      '<script>\na();\n</script>\n<script setup lang="ts">\nb();\n</script>\n<style>\nc {}\n</style>';
    assert.deepEqual(read('vue', text), ['', 'a();', '', '', 'b();', '', '', '', '']);
    assert.equal(EMBEDDED.get('vue')?.(text).parser, 'typescript');
    assert.equal(EMBEDDED.get('vue')?.('<script>\na\n</script>').parser, 'javascript');
    assert.equal(EMBEDDED.get('vue')?.('<script lang="tsx">\na\n</script>').parser, 'tsx');
  });

  it('reads directives, listeners and text of a Vue template as statements', () => {
    assert.equal(
      readTemplate('<p :a="{ b: c }" @d="e(); f()" v-if="g < h">{{ i }}</p>'),
      ';({ b: c }) ;{e(); f()} ;(g < h) ;( i );',
    );
    assert.equal(readTemplate('<!-- {{ a }} --><p title="b" v-else :c>d</p>'), ';c');
    assert.equal(readTemplate('<p :a="b &amp;&amp; c">{{ open</p>'), '');
  });

  it('declares the names of loops and slots of a Vue template where they hold', () => {
    assert.equal(readTemplate('<A v-for="(b, i) in c" :d="b"/>'), ';A ;c;((b, i)=>{ ;(b)})');
    assert.equal(readTemplate('<ul><li v-for="a of b">{{ a }}</li></ul>'), ';b;((a)=>{ ;( a );})');
    assert.equal(
      readTemplate('<A><template #item="{ b }">{{ b }}</template></A>'),
      ';A ;(({ b })=>{ ;( b );})',
    );
  });

  it('takes components of Vue that are named as empty elements for what they are', () => {
    assert.equal(readTemplate('<Link v-for="a in b"><p>{{ a }}</p></Link>'), ';Link ;b;((a)=>{ ;( a ); })');
  });

  it('reads a Vue template without its names where elements are not nested as they should be', () => {
    assert.equal(
      readTemplate('<b><i v-for="a of b"><i v-for="c of d"><i v-for="e of f"></b>').includes('=>'),
      false,
    );
    assert.equal(readTemplate('<input v-for="a in b">'), ';{let a ;b;}');
  });

  it('finds a component by its tag in kebab case where the file names it', () => {
    const text =
      '<script setup>import BaseButton from "./b.vue"</script><template><base-button /><my-element /></template>';
    assert.match(read('vue', text).join(''), /;BaseButton\s*$/);
  });

  it('reads blocks of Svelte with their names', () => {
    assert.equal(readSvelte('{#each a as b, i (b.id)}{b}{/each}'), ';a;((b, i)=>{ ;b;})');
    assert.equal(readSvelte('{#each a as { b } (b)}{b}{:else}c{/each}'), ';a;(({ b })=>{ ;b; })');
    assert.equal(readSvelte('{#await a then b}{b}{:catch c}{c}{/await}'), ';a;((b)=>{ ;b;});((c)=>{;c;})');
    assert.equal(readSvelte('{#if a}b{:else if c}d{/if}{@html e}'), ';a; ;c; ;e;');
    assert.equal(
      readSvelte('{#if a}{@const b = c}{:else if d}{:else}e{/if}'),
      ';{ a;;const b = c;};{ ;d;};{ }',
    );
    assert.equal(readSvelte('{#snippet a(b)}{b}{/snippet}'), ';function a(b){;b;}');
  });

  it('reads a snippet inside of a component as given to it', () => {
    assert.equal(
      readSvelte('<A>{#snippet row(b)}{b}{/snippet}</A>{#snippet c()}{/snippet}'),
      ';A ;function row(b){;b;};row ;function c(){}',
    );
    assert.equal(
      readSvelte('<A>\n{#snippet longName()}\n  {/snippet}</A>'),
      ';A;function longName(){ };longName',
    );
  });

  it('declares names on several lines, in a loop behind their use and those of `let:`', () => {
    assert.equal(
      readTemplate('<A><template #item="{\n b,\n}">{{ b }}</template></A>'),
      ';A ;{let { b,}; ;( b );}',
    );
    assert.equal(readTemplate('<A v-for="(b,\n c) in d(\n)">{{ b }}</A>'), ';A ;{let b, c ;d(); ;( b );}');
    assert.equal(readTemplate('<p :a="b(c.b)" v-for="c of d">{{ c }}</p>'), ';(b(_.b)) ;d;((c)=>{ ;( c );})');
    assert.equal(readSvelte('{#each a(\n) as b, c}{b}{/each}'), ';a();(b,c)=>{;b;}');
    assert.equal(readSvelte('{#snippet a(\n b)}{b}{/snippet}'), ';function a( b){;b;}');
    assert.equal(
      readSvelte('<A c={d} let:b let:e={f}>{b}<A>{b}</A>{b}</A>{b}'),
      '{A ;d;;let b;let f ;;b;;A ;b; ;b;} ;b;',
    );
  });

  it('leaves out what a template of Vue names in the options of its component', () => {
    const text =
      '<script>import { a } from "./a"; export default { methods: { a() {} } };</script><template><A @b="a()">{{ a() }}</A></template>';
    assert.match(read('vue', text).join(''), /;\s+;A\s*$/);
  });

  it('reads an expression of Vue with a comparison in it', () => {
    assert.equal(readTemplate('<p>{{ a < b() }} {{ c > d }}</p>'), ';( a < b() ); ;( c > d );');
  });

  it('reads hostile texts in time that grows with their length', () => {
    const hostile: ReadonlyArray<readonly [language: string, start: string, repeated: string]> = [
      ['astro', '', '\n'],
      ['astro', '{', '<script>'],
      ['svelte', "{'", String.raw`\'`],
      ['vue', '<template>', 'a<b>'],
      ['vue', `<template>${'<a>'.repeat(100_000)}`, '</b>'],
      ['jupyter', '{"cells":[{"cell_type":"code","source":[', '"a = 1",'],
      ['jupyter', `${'{"a":'.repeat(2000)}[`, '1,'],
    ];
    for (const [language, start, repeated] of hostile) {
      const text = start + repeated.repeat(400_000 / repeated.length);
      const begin = performance.now();
      EMBEDDED.get(language)?.(text);
      assert.ok(performance.now() - begin < 5000, `${language} ${start.slice(0, 20)}${repeated}`);
    }
  });

  it('reads expressions in attributes and the values of stores of Svelte', () => {
    assert.equal(
      readSvelte('<A {b} {...c} d={{ e: 1 }} use:f|g={h} on:click i="j {k}">'),
      ';A ;b; ;c; ;({ e: 1 }) ;f ;h; ;k;',
    );
    assert.equal(readSvelte('{$count}{$state}{"$a }"}'), '; count;;$state;;"$a }";');
    assert.equal(readSvelte('<p bind:a class:b style:c bind:d={e} class:f-g>'), ';a ;b ;c ;e;');
    assert.equal(readSvelte("{a ? `}${b}` : '}'}"), ";a ? `}${b}` : '}';");
  });

  it('takes braces that nothing closes for text', () => {
    assert.equal(readSvelte('<a b={c}>{d <e f={g}>'), ';c;');
  });

  it('leaves scripts in expressions of Astro out', () => {
    const text = '---\nconst a = 1;\n---\n{a && <script>let b</script>}';
    assert.deepEqual(read('astro', text), ['', 'const a = 1;', '', ';a && <script>     </script>;']);
  });

  it('reads cells of notebooks of Python alone', () => {
    const cell = (source: string) => `{"cells":[{"cell_type":"code","source":[\n${source}\n]}]`;
    const lines = (text: string) => read('jupyter', text).slice(1, -1);
    assert.deepEqual(lines(`${cell(' "if a:\\n",\n " !ls\\n"')}}`), ['if a:', ' pass']);
    assert.deepEqual(lines(`${cell(' "%%time\\n",\n "b"')}}`), ['', 'b']);
    assert.deepEqual(lines(`${cell(' "%%sql\\n",\n "SELECT 1"')}}`), ['', '']);
    assert.deepEqual(lines(`${cell(' "a\\nb"')}}`), ['']);
    assert.deepEqual(lines(`${cell(' "a"')},"metadata":{"language_info":{"name":"R"}}}`), ['']);
  });

  it('reads a notebook that nests without end as no notebook', () => {
    const text = '['.repeat(200_000);
    assert.equal(EMBEDDED.get('jupyter')?.(text).text.trim(), '');
  });
});
