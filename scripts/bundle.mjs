// Joins the compiled modules of each package into a few files, which are what runs: Node.js takes most of a millisecond for each module.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Packages of many small modules, which are copied in: no two of our packages hand their objects to each other. All others stay imports. */
const INLINED = /^(typebox|jose|uuid)(\/|$)/;

const packages = [
  'core',
  ...['plugins', 'transports'].flatMap((group) => readdirSync(group).map((name) => join(group, name))),
];

/** Bundles each package whose `exports` name a bundle. Resolves when all are written. */
export async function bundlePackages() {
  await Promise.all(packages.map(bundle));
}

async function bundle(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ unbundled = [] }) => unbundled);
  if (entries.length === 0) return;
  const nameOf = (path) => relative('./dist', path).replace(/\.js$/, '');
  const output = join(folder, 'bundle');
  const build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [nameOf(path), join(folder, path)])),
    platform: 'node',
    tsconfig: false, // everything is compiled
    external: (id) => !/^[./#]/.test(id) && !INLINED.test(id),
    plugins: [places(output)],
  });
  const { output: files } = await build.generate({
    format: 'esm',
    keepNames: true, // faults name services by their classes
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
  });
  await build.close();
  write(output, new Map(files.map(({ fileName, code }) => [normalize(fileName), code])));
}

const PLACE = /ORIGINAL_PLACE\("([^"]+)"\)/g;

/** Modules find files beside them by `import.meta.url`: it stays what it was before they were joined. */
function places(output) {
  return {
    name: 'places',
    transform: (code, id) =>
      code.includes('import.meta.url')
        ? code.replaceAll('import.meta.url', `ORIGINAL_PLACE(${JSON.stringify(id)})`)
        : undefined,
    renderChunk(code, { fileName }) {
      const from = dirname(resolve(output, fileName));
      const place = (id) =>
        `new URL(${JSON.stringify(relative(from, id).split(sep).join('/'))}, import.meta.url).href`;
      return code.replace(PLACE, (_, id) => place(id));
    },
  };
}

/** Leaves what is the same as it is: a service that runs meanwhile loads parts later, and `serve --watch` waits for changes. */
function write(folder, files) {
  for (const [name, code] of files) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === code) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(relative(folder, path))) rmSync(path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await bundlePackages();
