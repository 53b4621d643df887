import { workspaceIndexSuite } from './workspace-index-suite.js';

workspaceIndexSuite('sqlite');
