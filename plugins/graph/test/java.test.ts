import { describeFixtures } from './support/resolution-fixtures.js';

describe('graph: Java', () => describeFixtures('java'));
