import { pageFormsSuite } from './pages-forms-suite.js';

pageFormsSuite('sqlite');
