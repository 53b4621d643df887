import { SearchInput } from '../schemas.js';
import { searchTool } from './search-tool.js';

export const searchHybrid = searchTool('hybrid', {
  title: 'Search by meaning and words',
  description:
    'Finds code and documents by meaning and keywords together, best first. Try it first. Read files with files_read.',
  input: SearchInput,
  level: 'light',
});
