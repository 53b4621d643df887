import { contextSuite } from '../context-suite.js';
import { planSuite } from '../plan-suite.js';

// Their answers come from the tools of other plugins, whose tests run on both engines with npm test.
contextSuite('postgresql');
planSuite('postgresql');
