import type { Deployment } from '@service-mcp/core';

/** Address of the page that sets a password with a reset token. */
export function passwordLink(deployment: Deployment, resetToken: string): string {
  return `${deployment.origins().web}/oauth/password?token=${resetToken}`;
}
