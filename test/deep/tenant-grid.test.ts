import { tenantGrid } from '../security/tenant-grid.js';

tenantGrid('postgresql');
