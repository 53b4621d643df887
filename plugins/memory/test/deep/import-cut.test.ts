import { importCutSuite } from '../import-cut-suite.js';

// It imports a hundred cut files.
importCutSuite('sqlite');
importCutSuite('postgresql');
