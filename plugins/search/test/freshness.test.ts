import { freshnessSuite } from './freshness-suite.js';

freshnessSuite('sqlite');
