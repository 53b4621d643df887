import { hygieneSuite } from './hygiene-suite.js';

hygieneSuite('sqlite');
