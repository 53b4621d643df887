import { textsSuite } from './texts-suite.js';

textsSuite('sqlite');
