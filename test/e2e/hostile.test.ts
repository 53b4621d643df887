import { hostileInput } from './hostile-suite.js';

// All of it in test/deep/hostile.test.ts.
hostileInput({ inProcess: 4, overHttp: 20, bodies: 4, bodiesElsewhere: 4, texts: 4 });
