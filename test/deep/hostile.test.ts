import { hostileInput } from '../e2e/hostile-suite.js';

hostileInput({ inProcess: 1, overHttp: 20, bodies: 1, bodiesElsewhere: 4, texts: 1 });
