import type { RecordEvents } from './change-events.js';
import type { Sql } from './database.js';
import { collect } from './token.js';

/** An account that is being deleted. */
export interface DeletedAccount {
  readonly userId: string;
  /** In the form of `normalEmail`. Undefined in the later run, when the account is gone. */
  readonly email?: string;
  /** Whether workspaces in which it is the only member are deleted with it. */
  readonly deleteWorkspaces: boolean;
}

/**
 * What a plugin holds of a person besides the id. Records keep the ids of their creators, which name nobody once the
 * account is gone. Every plugin that stores an address, or rows of one person alone, contributes one.
 */
export interface AccountData {
  /**
   * Deletes all of it, in the transaction in which the account is deleted. Throws CONFLICT for what must be settled before;
   * then nothing is deleted. It runs once more an hour later with the id alone, for calls that were under way, and where the
   * plugin was disabled, once it is enabled again; then nobody can settle anything, and what throws is tried again.
   */
  erase(sql: Sql, record: RecordEvents, account: DeletedAccount): Promise<void>;
}
export const AccountData = collect<AccountData>('core.AccountData');
