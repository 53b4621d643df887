/**
 * How a person runs the next command: `npx service-mcp` where npm or npx started this one, since its folder
 * of binaries is then on no path but npm's own; else `service-mcp`.
 */
export function commandName(env: NodeJS.ProcessEnv = process.env): string {
  const byNpm = ['npm_execpath', 'npm_lifecycle_event', 'npm_command'].some((name) => env[name]);
  return byNpm ? 'npx service-mcp' : 'service-mcp';
}
