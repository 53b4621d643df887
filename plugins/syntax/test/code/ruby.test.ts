import assert from 'node:assert/strict';
import { checkCode } from './check-code.js';
import { lowerText, symbolMarks } from './lower-text.js';

describe('syntax: code of Ruby', () => {
  it('tells calls without arguments from local variables', () =>
    checkCode('a.rb', [
      ['def f(a)\n  a\n  b\n  c = d\n  c\nend', 'function #0 f(a) { a; b(); c = d(); return c }'],
      ['x = 1\n[y].each { |z| x; z }', "x = '1'", '[y()].each(function (z) { x; return z })'],
    ]));

  it('loads files', () =>
    checkCode('a.rb', [
      [
        "require 'json'\nrequire_relative 'lib/a'\nrequire_relative '../b'\nautoload :C, 'c'\nrequire name",
        'import load from json',
        'import load from ./lib/a',
        'import load from ../b',
        'import load from c',
        'require(name())',
      ],
    ]));

  it('reopens classes and modules, and mixes the last module first', () =>
    checkCode('a.rb', [
      [
        'module A::B\n  class C < ::D\n    include E, F\n    extend G\n  end\nend',
        'reopen trait A { reopen trait #0 B { reopen class #1 C mixes G mixes F mixes E extends .D {  } } }',
      ],
      [
        'P = Struct.new(:x) do\n  def d = x\nend',
        'reopen class #0 P { function !initialize(x) { this.@x = x }; function x() { return this.@x }; ' +
          'function x=(x) { this.@x = x }; function #1 d() { return x() } }',
      ],
    ]));

  it('defines methods of the class itself, attributes and aliases', () =>
    checkCode('a.rb', [
      [
        'class A\n  attr_reader :b\n  class << self\n    def c; end\n  end\n  def self.d; end\n  alias e b\n  define_method(:f) { |g| g }\nend',
        'reopen class #0 A { function b() { return this.@b }; static function #1 c() {  }; ' +
          'static function #2 d() {  }; let e = b; function #3 f(g) { return g } }',
      ],
      [
        'module M\n  module_function\n  def a = b\n  def b; end\nend',
        'reopen trait #0 M mixes M { function #1 a() { return b() }; function #2 b() {  } }',
      ],
    ]));

  it('passes blocks as the argument &', () =>
    checkCode('a.rb', [
      [
        'def f(&b) = g(&b)\ndef h = yield(1)\nh { |x| x }\nh(&:run)\nh(&method(:f))',
        'function #0 f(&) { let b = &; return g(b) }',
        "function #1 h(&) { return &('1') }",
        'h(function (x) { return x })',
        'h(function (item) { return item.run() })',
        'h(f)',
      ],
    ]));

  it('returns the last value of a method through its branches', () =>
    checkCode('a.rb', [
      [
        'def f(a)\n  if a then b else c end\nrescue E => e\n  d\nensure\n  g\nend',
        'function #0 f(a) { E; branch { a; total branch { return b() } | { return c() } } | ' +
          '{ let e: E; return d() }; g() }',
      ],
      ['x = case y when Z then 1 else w end', "x = { y(); Z; give ('1' | w()) }"],
    ]));

  it('constructs, sends by a literal name and calls the method above', () =>
    checkCode('a.rb', [
      [
        'class A < B\n  def initialize(x)\n    super\n    @y ||= C::D.new(x)\n    send(:run, 1)\n    self.class.make\n    self.z = x\n  end\nend',
        'reopen class #0 A extends B { function #1 initialize(x) { super.initialize(); ' +
          "this.@y = new C.D(x); this.run('1'); A.make(); return this.z=(x) } }",
      ],
    ]));

  it('knows what other files see, and tests', async () => {
    const text =
      "class ATest < Minitest::Test\n  def test_a; end\n  private\n  def b; end\n  public\n  def c; end\n  private :c\nend\ndescribe 'x' do\n  it('y') { z }\nend\n";
    assert.deepEqual(await symbolMarks('a.rb', text), [
      'ATest+ test',
      'ATest.test_a+ test',
      'ATest.b',
      'ATest.c',
    ]);
    const { testCases } = await lowerText('a.rb', text);
    assert.deepEqual(
      testCases?.map(({ title }) => title),
      ['y'],
    );
  });
});
