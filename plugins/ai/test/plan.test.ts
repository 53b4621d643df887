import { planSuite } from './plan-suite.js';

planSuite('sqlite');
