export { eachDatabase, freshDatabase, type TestDatabase } from './each-database.js';
export { testHost, type TestHost, type TestHostOptions } from './test-host.js';
export { callerWith } from './caller-with.js';
export { peopleNamed } from './people.js';
export { runInProcess, type CommandOptions, type CommandOutcome } from './run-in-process.js';
