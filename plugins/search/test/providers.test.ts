import { providerSuite } from './provider-suite.js';

providerSuite('sqlite');
