import { SearchInput } from '../schemas.js';
import { searchTool } from './search-tool.js';

export const searchKeyword = searchTool('keyword', {
  title: 'Search by words',
  description:
    'Finds passages that hold the words of the query (BM25; stems, identifier parts), first those with its identifiers and "quoted phrases" as written. For names and rare words.',
  input: SearchInput,
  level: 'standard',
});
