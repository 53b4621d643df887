import { freshnessSuite } from '../freshness-suite.js';
import { leaseSuite } from '../lease-suite.js';
import { patternIndexSuite } from '../pattern-index-suite.js';
import { providerSuite } from '../provider-suite.js';
import { repairSuite } from '../repair-suite.js';
import { workspaceIndexSuite } from '../workspace-index-suite.js';

// They make some fifty indexes and wait for thousands of files; most tests of search run on both engines with npm test.
for (const suite of [
  freshnessSuite,
  leaseSuite,
  patternIndexSuite,
  providerSuite,
  repairSuite,
  workspaceIndexSuite,
])
  suite('postgresql');
