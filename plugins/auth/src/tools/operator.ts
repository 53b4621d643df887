import { AccountAdministration } from '../services/account-administration.js';

/** Shared by the tools for accounts: only the operator calls them, on the machine of the deployment. */
export const operator = {
  access: { scope: 'admin:write', in: 'administration' },
  surfaces: ['cli'],
  uses: { accounts: AccountAdministration },
} as const;
