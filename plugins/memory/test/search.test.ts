import { searchSuite } from './search-suite.js';

searchSuite('sqlite');
