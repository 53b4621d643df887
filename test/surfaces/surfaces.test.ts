import { SURFACES } from './drivers/index.js';
import { describeSurfaces } from './suite.js';

describeSurfaces(SURFACES);
