import { tenantGrid } from './tenant-grid.js';

tenantGrid('sqlite');
