// Makes a plugin with one tool, a setting, a test and a README:
//   npm run new:plugin NAME               in plugins/NAME, registered in this repository, built, tested and linted
//   npm run new:plugin NAME -- --out DIR  a package of its own in DIR, for a third party
// Where anything fails, nothing is left behind.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const templates = join(root, 'scripts', 'new-plugin');
const USAGE = 'Usage: npm run new:plugin NAME, or npm run new:plugin NAME -- --out DIR';
/** Words that are something else already in a deployment file, a selection of tools or an address. */
const RESERVED = new Set(
  'server database storage sessions limits toolsets workers log plugins transports core light standard complete mcp jsonrpc rest cli web'.split(
    ' ',
  ),
);

class Refusal extends Error {}

try {
  const { name, out } = readArguments();
  if (out === undefined) makeInside(name);
  else makeOutside(name, resolve(process.env.INIT_CWD ?? process.cwd(), out));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error.message}\n${USAGE}`);
  }
  const [name, ...more] = parsed.positionals;
  if (name === undefined) throw new Refusal(`The plugin needs a name.\n${USAGE}`);
  if (more.length > 0) {
    throw new Refusal(`One name is wanted; "${more[0]}" is a second. For --out, put -- before it.\n${USAGE}`);
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    throw new Refusal(
      `"${name}" is not a plugin name: use 1 to 40 characters of a-z and 0-9, words joined by single hyphens, such as issue-tracker.`,
    );
  }
  if (RESERVED.has(name)) throw new Refusal(`"${name}" means something else already: choose another name.`);
  if (existsSync(join(root, 'plugins', name))) {
    throw new Refusal(`There is a plugin ${name} already (plugins/${name}): choose another name.`);
  }
  return { name, out: parsed.values.out };
}

/** In plugins/NAME: a workspace of this repository. */
function makeInside(name) {
  const folder = join(root, 'plugins', name);
  const packageName = `@service-mcp/plugin-${name}`;
  const link = join(root, 'node_modules', packageName);
  const registered = ['tsconfig.json', 'package-lock.json'].map((file) => join(root, file));
  const before = registered.map((file) => [file, readFileSync(file)]);
  undoing(
    () => {
      rmSync(folder, { recursive: true, force: true });
      rmSync(link, { recursive: true, force: true });
      for (const [file, content] of before) writeFileSync(file, content);
    },
    () => {
      write(folder, ['shared', 'inside'], variables(name, packageName));
      addReferences(`plugins/${name}`);
      run('npm', ['install', '--package-lock-only', '--prefer-offline', '--ignore-scripts'], root);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(relative(dirname(link), folder), link, 'junction'); // as npm install links a workspace
      const bin = (tool) => join(root, 'node_modules', '.bin', tool);
      run(bin('tsc'), ['-b', folder, join(folder, 'test')], root);
      run(
        bin('mocha'),
        ['--no-config', '--timeout', '60000', join(folder, 'test', 'dist', '**', '*.test.js')],
        root,
      );
      run(bin('oxlint'), ['--type-aware', folder], root);
      run(bin('oxfmt'), [folder], root); // the width of a table depends on the name
    },
  );
  say(`plugins/${name} is made, registered in tsconfig.json and package-lock.json, and its tests pass.`, [
    `Enable it: add "${packageName}" to "plugins" in deploy/local.json.`,
    `See it:    npm start -- --config deploy/local.json, then npx service-mcp tools ${snake(name)}_greet`,
    `Go on:     plugins/${name}/src/tools/greet.ts and docs/guides/plugin-author.md`,
  ]);
}

/** In a folder of its own: a package that is developed against the core of this clone, packed into packages/. */
function makeOutside(name, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Refusal(`${folder} is not empty: give --out a new folder.`);
  }
  const existed = existsSync(folder);
  undoing(
    () => {
      rmSync(folder, { recursive: true, force: true });
      if (existed) mkdirSync(folder);
    },
    () => {
      write(folder, ['shared', 'outside'], variables(name, `service-mcp-plugin-${name}`));
      const packages = join(folder, 'packages');
      mkdirSync(packages);
      run('npm', ['pack', '-w', 'core', '--ignore-scripts', '--pack-destination', packages], root);
    },
  );
  say(`${folder} holds service-mcp-plugin-${name}.`, [
    `Next: cd ${folder} && npm install && npm test`,
    'Then: README.md there says how a deployment enables it.',
  ]);
}

function undoing(undo, work) {
  try {
    work();
  } catch (error) {
    undo();
    if (error instanceof Refusal) throw error;
    throw new Refusal(`Nothing was made: ${error.message}`);
  }
}

function variables(name, packageName) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const core = read('core/package.json');
  const { devDependencies } = read('package.json');
  return {
    name,
    package: packageName,
    snake: snake(name),
    env: snake(name).toUpperCase(),
    version: core.version,
    typebox: core.dependencies.typebox,
    node: core.engines.node,
    mocha: devDependencies.mocha,
    typescript: devDependencies.typescript,
    'types-mocha': devDependencies['@types/mocha'],
    'types-node': devDependencies['@types/node'],
  };
}

function snake(name) {
  return name.replaceAll('-', '_');
}

/** Writes every template of `sets`, with its variables filled in. */
function write(folder, sets, values) {
  for (const set of sets) {
    const from = join(templates, set);
    for (const file of readdirSync(from, { recursive: true })) {
      if (!file.endsWith('.template')) continue;
      const to = join(folder, file.replace(/\.template$/, ''))
        .replace(/([\\/])test\.ts$/, `$1${values.name}.test.ts`)
        .replace(/([\\/])gitignore$/, '$1.gitignore'); // npm leaves a .gitignore out of packages
      mkdirSync(dirname(to), { recursive: true });
      const text = readFileSync(join(from, file), 'utf8').replaceAll(/\{\{([a-z-]+)\}\}/g, (_all, key) => {
        if (values[key] === undefined)
          throw new Error(`the template ${String(file)} names an unknown ${key}`);
        return values[key];
      });
      writeFileSync(to, text, { flag: 'wx' });
    }
  }
}

/** Adds a package and its tests to the root tsconfig.json, after the last plugin. */
function addReferences(path) {
  const file = join(root, 'tsconfig.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const last = config.references.findLastIndex((reference) => reference.path.startsWith('plugins/'));
  config.references.splice(last + 1, 0, { path }, { path: `${path}/test` });
  const references = config.references.map((reference) => `    { "path": "${reference.path}" }`).join(',\n');
  writeFileSync(file, `{\n  "files": [],\n  "references": [\n${references}\n  ]\n}\n`);
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`);
}

function say(done, next) {
  process.stdout.write(`${done}\n${next.map((line) => `  ${line}\n`).join('')}`);
}
