import { patternIndexSuite } from './pattern-index-suite.js';

patternIndexSuite('sqlite');
