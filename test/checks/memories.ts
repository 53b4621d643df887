/** What agents store of a project: decisions with reasons, lessons, bugs and notes, of 50 to 250 tokens. */
export const MEMORIES: ReadonlyArray<{
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly date: string;
}> = [
  {
    type: 'decision',
    title: 'PostgreSQL for the team deployment, SQLite for one person',
    content:
      'We use PostgreSQL where a team shares the service and SQLite on a single machine. PostgreSQL was chosen because several replicas write at once, and advisory locks give us one indexer a workspace without another service. SQLite stays since an install without a database server is what most people try first. MySQL was left out: its transactional DDL is missing, so that a failed migration leaves half a schema behind.',
    date: '2026-03-02T10:00:00Z',
  },
  {
    type: 'decision',
    title: 'Refresh tokens rotate, with a grace of ten seconds',
    content:
      'Every refresh returns a new refresh token and ends the old one. The old one answers with the same pair for ten seconds, because editors with several windows refresh at the same moment and all but one of them were logged out. Longer than ten seconds was refused in the review: a stolen token would stay usable.',
    date: '2026-03-04T09:30:00Z',
  },
  {
    type: 'decision',
    title: 'One index for each workspace',
    content:
      'Each workspace gets a LanceDB folder of its own instead of a filter on a shared one. Deleting a workspace is then deleting a folder, a damaged index takes down one team, and statistics of words do not leak between tenants. The price is more open files; an LRU cache of 200 handles keeps that bounded.',
    date: '2026-03-06T14:00:00Z',
  },
  {
    type: 'decision',
    title: 'Errors have one table',
    content:
      'Codes, HTTP statuses and JSON-RPC numbers come from the table in core/src/errors.ts, and the documentation is generated from it. A handler throws a code and a message that says what to do next. Text of foreign errors never reaches a caller, since paths of the host and SQL were found in answers during the audit in February.',
    date: '2026-03-09T08:00:00Z',
  },
  {
    type: 'decision',
    title: 'Work queues live in the records themselves',
    content:
      'A record that waits for the index has indexing_status pending, and that row is the queue. Record and work commit in one transaction, therefore a crash loses neither. A message broker was considered and rejected: it would be a second thing to run and to back up, and it cannot share our transaction.',
    date: '2026-03-11T11:15:00Z',
  },
  {
    type: 'decision',
    title: 'Chunks follow the structure of code',
    content:
      'Source is cut at functions, classes and sections instead of every 500 tokens. In the comparison on CoSQA the structural chunks gained four points of recall at ten, because a function and its comment stay together. Files without a parser fall back to blank lines. Chunks are at most 1,500 characters.',
    date: '2026-03-12T16:45:00Z',
  },
  {
    type: 'decision',
    title: 'No decorators in the source',
    content:
      'Tools and services are plain values, made by functions such as defineTool. Decorators under ESM depend on the order of classes and lose their metadata under tsx, so that a service worked in tests and not in production. The container is confined to one file for the same reason.',
    date: '2026-03-13T10:20:00Z',
  },
  {
    type: 'decision',
    title: 'Pages count from one',
    content:
      'Every list takes page and per_page and answers with items, total, page, per_page, has_next and has_prev. Cursors were rejected for lists that people look at: they ask for page five. Streams and exports have cursors, since their readers want everything in order and rows change under them.',
    date: '2026-03-16T13:00:00Z',
  },
  {
    type: 'decision',
    title: 'The gateway stores nothing',
    content:
      'The gateway on a local machine forwards requests as they are and keeps no data. Credentials stay with each caller. Because it has no database it can be replaced at any time, and a version that is older than the service goes on working. Caching was discussed and left out: who may see what changes by the minute.',
    date: '2026-03-18T15:30:00Z',
  },
  {
    type: 'decision',
    title: 'Memory has two times',
    content:
      'A node has the time in which it is true and the time at which it was recorded. We need both to answer what the team held true in January about a rule that was changed in March and corrected in April. Events have only the time at which they happened: they are not edited into something else.',
    date: '2026-03-20T09:00:00Z',
  },
  {
    type: 'bug',
    title: 'Token refresh fails after the laptop sleeps',
    content:
      'After sleep the editor sends the refresh with a clock that is minutes behind, and the service answers UNAUTHENTICATED. The cause was the check of issued-at against the local clock in the client library, not our service. Worked around with a leeway of 120 seconds; reported upstream. If it comes back, compare the Date header of the answer with the clock of the machine first.',
    date: '2026-03-05T12:00:00Z',
  },
  {
    type: 'lesson',
    title: 'The flaky test of the queue waited for time, not for work',
    content:
      'The test of the work queue slept 200 ms and then counted rows, which failed on the slow runner about once in thirty runs. It now waits for the condition and the runner ends it. Lesson: never assert on time; a test must hold on a machine that is five times slower. Two other tests had the same fault and were fixed with it.',
    date: '2026-03-10T17:00:00Z',
  },
  {
    type: 'note',
    title: 'Review of the search latency',
    content:
      'p95 of hybrid search at 100,000 chunks went from 84 to 41 ms after the columns of a result were read in one pass. What is left is mostly the scan of vectors: 22 ms. An IVF index would halve that but costs recall at small sizes. Next step is to measure at a million chunks before anything is changed.',
    date: '2026-03-17T10:00:00Z',
  },
  {
    type: 'warning',
    title: 'Do not restore a backup over a running service',
    content:
      'On the 14th a backup was copied over the data folder while the service ran. SQLite went on with its old WAL and the index pointed to rows that no longer existed. Stop the service, restore the database and delete the index folder: it is rebuilt from the database. doctor --repair does the last step.',
    date: '2026-03-14T18:00:00Z',
  },
];
