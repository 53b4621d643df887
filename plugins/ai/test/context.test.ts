import { contextSuite } from './context-suite.js';

contextSuite('sqlite');
