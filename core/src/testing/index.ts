export { callerWith } from './caller-with.js';
export { eachDatabase, freshDatabase, type TestDatabase } from './each-database.js';
export { membershipsIn } from './memberships.js';
export { peopleNamed } from './people.js';
export { probe, type Probe } from './probe.js';
export { rejects } from './rejects.js';
export { runInProcess, type CommandOptions, type CommandOutcome } from './run-in-process.js';
export { testHost, type TestHost, type TestHostOptions } from './test-host.js';
export { use, type UsableHost, type UseOptions } from './use.js';
