import { SearchInput } from '../schemas.js';
import { searchTool } from './search-tool.js';

export const searchSemantic = searchTool('semantic', {
  title: 'Search by meaning',
  description:
    'Finds passages near the query in meaning, by vectors. For a question in plain words; search_hybrid is the better first choice.',
  input: SearchInput,
  level: 'standard',
});
