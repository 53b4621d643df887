import { stepUpSuite } from './step-up-suite.js';

stepUpSuite('sqlite');
