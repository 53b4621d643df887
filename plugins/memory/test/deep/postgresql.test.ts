import { crowdedPagesSuite } from '../crowded-pages-suite.js';
import { fewOfATypeSuite } from '../few-of-a-type-suite.js';
import { hygieneSuite } from '../hygiene-suite.js';
import { importExportSuite } from '../import-export-suite.js';
import { importFormatsSuite } from '../import-formats-suite.js';
import { replacementsSuite } from '../replacements-suite.js';
import { searchSuite } from '../search-suite.js';
import { textsSuite } from '../texts-suite.js';

// They write thousands of records, or test what is found rather than stored; most tests of memory run on both engines with npm test.
for (const suite of [
  crowdedPagesSuite,
  fewOfATypeSuite,
  hygieneSuite,
  importExportSuite,
  importFormatsSuite,
  replacementsSuite,
  searchSuite,
  textsSuite,
])
  suite('postgresql');
