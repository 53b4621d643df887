import { importFormatsSuite } from './import-formats-suite.js';

importFormatsSuite('sqlite');
