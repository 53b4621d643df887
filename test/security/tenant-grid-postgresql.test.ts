import { tenantGrid } from './tenant-grid.js';

tenantGrid('postgresql');
