import { hostileSuite } from '../hostile-suite.js';

hostileSuite(1024 * 1024);
