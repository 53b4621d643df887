import { crowdedPagesSuite } from './crowded-pages-suite.js';

crowdedPagesSuite('sqlite');
