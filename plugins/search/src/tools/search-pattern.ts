import { PatternInput } from '../schemas.js';
import { searchTool } from './search-tool.js';

export const searchPattern = searchTool('pattern', {
  title: 'Search by regular expression',
  description:
    'Finds every place where a regular expression matches (RE2 syntax: no look-around), in order of path and line, as grep does.',
  input: PatternInput,
  level: 'light',
});
