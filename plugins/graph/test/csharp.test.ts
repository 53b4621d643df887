import { describeFixtures } from './support/resolution-fixtures.js';

describe('graph: C#', () => describeFixtures('csharp'));
