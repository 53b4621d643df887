import * as lancedb from '@lancedb/lancedb';

/** One query in each form that is asked: words of one text, their vector, and an expression. */
export interface Query {
  readonly words: string;
  readonly vector: readonly number[];
  readonly pattern: string;
}

const LIMIT = 10;
const CANDIDATES = ['id', 'path', 'place', 'text'];

/** The tables of the search plugin, read with LanceDB alone: the cost of a query without the service. */
export class RawIndex {
  readonly #connection: lancedb.Connection;
  readonly #chunks: lancedb.Table;
  readonly #vectors: lancedb.Table;

  private constructor(connection: lancedb.Connection, tables: lancedb.Table[]) {
    this.#connection = connection;
    [this.#chunks, this.#vectors] = tables as [lancedb.Table, lancedb.Table];
  }

  static async open(folder: string): Promise<RawIndex> {
    const connection = await lancedb.connect(folder);
    const vectors = (await connection.tableNames()).find((name) => name.startsWith('vectors_')) ?? '';
    const tables = await Promise.all(['chunks', vectors].map((name) => connection.openTable(name)));
    return new RawIndex(connection, tables);
  }

  size(): Promise<number> {
    return this.#chunks.countRows();
  }

  /** Three plain words of a text as the index keeps them, so that both ways look the same terms up. */
  async queries(count: number): Promise<Query[]> {
    const rows = (await this.#chunks.query().select(['terms']).toArray()) as {
      terms: string;
    }[];
    const vectors = (await this.#vectors.query().select(['vector']).limit(count).toArray()) as {
      vector: Iterable<number>;
    }[];
    const queries: Query[] = [];
    for (let at = 0; queries.length < count && at < rows.length * 7; at += 7) {
      const terms = (rows[at % rows.length] as { terms: string }).terms.split(' ');
      const words = [...new Set(terms.filter((term) => /^[a-z]{4,9}$/.test(term)))].slice(0, 3);
      const vector = vectors[queries.length % vectors.length];
      if (words.length < 3 || !vector) continue;
      queries.push({
        words: words.join(' '),
        vector: [...vector.vector],
        pattern: String.raw`\b${words[0] ?? ''}\w*\(`,
      });
    }
    return queries;
  }

  keyword({ words }: Query): Promise<unknown[]> {
    const match = new lancedb.MatchQuery(words, 'terms');
    return this.#chunks
      .query()
      .fullTextSearch(match)
      .select([...CANDIDATES, '_score'])
      .limit(LIMIT)
      .toArray();
  }

  semantic({ vector }: Query): Promise<unknown[]> {
    const nearest = this.#vectors
      .query()
      .nearestTo([...vector])
      .distanceType('cosine')
      .bypassVectorIndex();
    return nearest.select(['chunk_id', 'path', '_distance']).limit(LIMIT).toArray();
  }

  hybrid(query: Query): Promise<unknown[]> {
    return Promise.all([this.keyword(query), this.semantic(query)]);
  }

  pattern({ pattern }: Query): Promise<unknown[]> {
    const where = `regexp_like(text, '${pattern}')`;
    return this.#chunks.query().where(where).select(['id', 'path', 'text']).limit(LIMIT).toArray();
  }

  close(): void {
    for (const table of [this.#chunks, this.#vectors]) table.close();
    this.#connection.close();
  }
}
