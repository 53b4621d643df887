import { importCutSuite } from './import-cut-suite.js';

importCutSuite('sqlite');
