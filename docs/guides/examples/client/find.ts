import { ServiceClient, ServiceError, type SearchKeywordOutput } from './service-client.js';

type Found = SearchKeywordOutput['results'];

/** Passages that hold the words, as soon as all that was stored can be found. */
export async function find(url: string, key: string | undefined, words: string): Promise<Found> {
  const client = new ServiceClient({ url, key });
  for (let tried = 1; ; tried += 1) {
    try {
      const { results, index } = await client.searchKeyword({ query: words, limit: 5 });
      if (index.state !== 'indexing' || tried === 60) return results;
    } catch (thrown) {
      const tooMany = thrown instanceof ServiceError && thrown.code === 'RATE_LIMITED';
      if (!tooMany || tried === 60) throw thrown;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
