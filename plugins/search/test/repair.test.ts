import { repairSuite } from './repair-suite.js';

repairSuite('sqlite');
