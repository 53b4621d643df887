#!/usr/bin/env node
// Runs before anything else loads: the index engine reads its log level once, when its library is opened.
process.env.LANCEDB_LOG ??= 'error';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 14) || major >= 24;

if (supported) {
  const { run } = await import('service-mcp').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.url?.endsWith('/bundle/run.js')) throw error;
    process.stderr.write(
      'error This clone of service-mcp is not built.\n→ In its folder run: npm ci && npm run build\n',
    );
    return { run: () => 1 };
  });
  process.exitCode = await run(process.argv.slice(2));
  setTimeout(() => process.exit(), 2000).unref(); // a worker of a plugin that was left behind must not keep it alive
} else {
  process.stderr.write(
    `service-mcp needs Node.js 20.19 or later, 22.14 or later, or 24 and up; this is ${process.versions.node}.\n` +
      'Install a supported version (https://nodejs.org) and run the command again.\n',
  );
  process.exitCode = 1;
}
