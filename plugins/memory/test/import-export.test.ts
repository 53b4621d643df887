import { importExportSuite } from './import-export-suite.js';

importExportSuite('sqlite');
