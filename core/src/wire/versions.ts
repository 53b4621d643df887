/** The revisions of MCP that open with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The version that answers `initialize`: the one asked for where it is known, else the newest. */
export function negotiateVersion(requested: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === requested) ?? HANDSHAKE_VERSIONS[0];
}
