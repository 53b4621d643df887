/**
 * How a person runs the next command: `npx service-mcp` where npm or npx started this one, since the folder of its
 * binaries is then only on npm's own path; else `service-mcp`.
 */
export function commandName(env: NodeJS.ProcessEnv = process.env): string {
  const byNpm = ['npm_execpath', 'npm_lifecycle_event', 'npm_command'].some((name) => env[name]);
  return byNpm ? 'npx service-mcp' : 'service-mcp';
}
