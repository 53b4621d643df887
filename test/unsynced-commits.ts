import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Commits to SQLite are not brought to the disk in the process of the tests, as those to the PostgreSQL of the run are not:
 * no test cuts the power, and the data goes with the run. Services in processes of their own do it.
 */
const skip = (_descriptor: number, done: (error: null) => void) => void setImmediate(done, null);

fs.fdatasync = Object.assign(skip, { __promisify__: fs.fdatasync.__promisify__ });
syncBuiltinESMExports();
