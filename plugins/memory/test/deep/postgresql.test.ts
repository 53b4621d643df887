import { hygieneSuite } from '../hygiene-suite.js';
import { importExportSuite } from '../import-export-suite.js';
import { importFormatsSuite } from '../import-formats-suite.js';

// They write thousands of records; most tests of memory run on both engines with npm test.
for (const suite of [hygieneSuite, importExportSuite, importFormatsSuite]) suite('postgresql');
