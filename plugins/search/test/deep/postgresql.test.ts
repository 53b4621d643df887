import { leaseSuite } from '../lease-suite.js';
import { providerSuite } from '../provider-suite.js';
import { workspaceIndexSuite } from '../workspace-index-suite.js';

// They make some forty indexes; most tests of search run on both engines with npm test.
leaseSuite('postgresql');
providerSuite('postgresql');
workspaceIndexSuite('postgresql');
