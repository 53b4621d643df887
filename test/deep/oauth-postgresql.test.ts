import { flowsSuite } from '../oauth/flows-suite.js';
import { stepUpSuite } from '../oauth/step-up-suite.js';

// What clients speak does not depend on the engine; most tests of auth run on both with npm test.
for (const suite of [flowsSuite, stepUpSuite]) suite('postgresql');
