import { AccountData } from '../account-data.js';
import { contribute } from '../token.js';
import { whereContains } from '../where-contains.js';

/** MCP sessions and results of repeated calls of a deleted account; results for others, and counters, that name its address. */
export const accountResults = contribute(AccountData, {
  uses: {},
  create: (): AccountData => ({
    async erase(sql, _record, { userId: user_id, email }) {
      await sql('mcp_sessions').whereLike('principal', `% ${user_id} %`).delete();
      await sql('idempotency_keys').where({ user_id }).delete();
      if (email === undefined) return;
      await whereContains(sql('idempotency_keys'), ['result'], email).delete();
      await whereContains(sql('rate_counters'), ['key'], ` ${email}`).delete(); // of the address, not of one that ends with it
    },
  }),
});
