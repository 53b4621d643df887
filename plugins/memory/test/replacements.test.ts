import { replacementsSuite } from './replacements-suite.js';

replacementsSuite('sqlite');
