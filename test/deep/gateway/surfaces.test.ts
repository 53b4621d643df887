import { GATEWAY_SURFACES } from '../../surfaces/drivers/index.js';
import { describeSurfaces } from '../../surfaces/suite.js';

describeSurfaces(GATEWAY_SURFACES);
