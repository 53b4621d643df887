import { describeFixtures } from './support/fixtures.js';
import { describeScores } from './support/scores.js';

describe('graph: C#', () => describeFixtures('csharp'));
describe('graph: Go', () => describeFixtures('go'));
describe('graph: Java', () => describeFixtures('java'));
describe('graph: Jupyter', () => describeFixtures('jupyter'));
describe('graph: Rust', () => describeFixtures('rust'));
describe('graph: TypeScript and JavaScript', () => describeFixtures('ecmascript'));
describe('graph: operators of C++, C#, Ruby and Rust', () => describeFixtures('operators'));
describe('graph: preprocessors of C, C++ and C#, and macros of Rust', () => describeFixtures('preprocessor'));
describe('graph: idioms of C++, PHP and Ruby', () => describeFixtures('idioms'));

const least = { edges: 40, precision: 0.97, recall: 0.85 };
describe('graph: C', () => describeScores('c', least));
describe('graph: C++', () => describeScores('cpp', least));
describe('graph: PHP', () => describeScores('php', least));
describe('graph: Ruby', () => describeScores('ruby', least));
