import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { actual, graphsOf, readPrograms } from './support/programs.js';

const FIXTURES = new URL('../fixtures/rust/', import.meta.url);

describe('graph: Rust', () => {
  for (const name of readdirSync(FIXTURES).sort()) {
    describe(name.replace(/\.txt$/, ''), () => {
      for (const program of readPrograms(new URL(name, FIXTURES))) {
        it(program.title, async () => {
          const graphs = await graphsOf(program, /Cargo\.toml$/);
          for (const [section, expected] of program.expected) {
            assert.deepEqual(actual(graphs, section, expected), expected, section);
          }
        });
      }
    });
  }
});
