import { LOCAL_OWNER, type Migration } from '@service-mcp/core';

/** Invitations of the operator, which had the id of the local owner, hold where the local owner has no account. */
export const freeOperatorInvitations: Migration = {
  id: '005_operator_invitations',
  async up(sql) {
    const { userId: id } = LOCAL_OWNER;
    await sql('invitations')
      .where({ invited_by: id })
      .whereNotExists(sql('users').where({ id }).select('id'))
      .update({ invited_by: '' });
  },
};
