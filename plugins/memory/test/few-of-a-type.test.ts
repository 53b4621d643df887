import { fewOfATypeSuite } from './few-of-a-type-suite.js';

fewOfATypeSuite('sqlite');
