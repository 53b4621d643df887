import { importCutSuite } from '../import-cut-suite.js';

// It imports a hundred cut files; most tests of memory run on both engines with npm test.
importCutSuite('postgresql');
