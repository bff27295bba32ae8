// Builds dist/: bundles without runtime dependencies, its types, and the licences in it.
// Files are replaced one by one and only when they changed, so a running `agent` is not disturbed.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asAscii } from './lib/ascii.mjs';
import { BANNER, bundled, COMPAT, programOf, settings } from './lib/bundle.mjs';
import { firstModules } from './lib/first-modules.mjs';
import { inOneFile } from './lib/one-library.mjs';
import { page } from './lib/page.mjs';
import { licenceText, packageFolders } from './lib/third-party.mjs';
import { declarations } from './lib/types.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const ENTRIES = {
  bin: 'src/bin.ts',
  index: 'src/index.ts',
  'embedded-child': 'src/llm/embedded/child.ts',
  'program/mcp': 'src/tools/mcp/connect.ts',
  'program/acp': 'src/server/acp/wire.ts',
  'program/mcp-server': 'src/server/mcp/wire.ts',
  // What the SDK of Temporal bundles for its sandbox.
  'program/temporal-workflow': 'src/fleet/temporal/workflow.ts',
  // What programs and browsers speak to the server with, and a script on it.
  client: 'src/server/client/client.ts',
  'server-client': 'src/cli/serve/server-client.ts',
};
// TypeScript 6 and 7 look at no types that no file asks for; the client is for browsers too.
const NODE_TYPES = '/// <reference types="node" />\n';
const SHEBANG = '#!/usr/bin/env node\n';

process.chdir(root);
if (process.argv.includes('--say')) console.error('Building; this takes about 20 s.');
const entries = Object.entries(ENTRIES).filter(([name, file]) => {
  if (existsSync(file)) return true;
  console.error(`build: ${file} is not there, so dist/${name} is not built`);
  return false;
});
// In a folder of its own: what `bin` loads, file by file.
const bundles = await Promise.all([
  ...entries.map(([name, file]) => bundled(name, file)),
  programOf('src/cli/start.ts', firstModules),
]);

const files = new Map();
const library = new Map();
for (const [path, text] of bundles.flatMap(({ texts }) => [...texts])) {
  const needsShebang = path === 'bin.cjs' && !text.startsWith('#!');
  const isOfLibrary = path === 'index.js' || path === 'compat.js' || path.startsWith('chunks/');
  if (isOfLibrary) library.set(path, text);
  else files.set(path, needsShebang ? SHEBANG + text : text);
}
for (const [path, text] of await inOneFile(library, { ...settings, outdir: undefined })) {
  files.set(path, path === 'index.js' ? text : `${BANNER}\n${text}`);
}
// What `agent serve` shows, and `agent export --html` saves.
const ofPage = await page(root);
for (const [path, text] of ofPage.texts) files.set(path, text);
// What the entry was called once: scripts and links of people name it.
files.set('bin.js', `${SHEBANG}import './bin.cjs';\n`);
// The names that npm installs: where it makes no link but a script, only the file says what was typed.
const commands = Object.values(packageBins(root)).map((path) => basename(path));
for (const name of commands) files.set(name, `${SHEBANG}require('./bin.cjs');\n`);
// What `agent demo` plays back lies beside the program.
const recordings = readdirSync('src/cli/demo').filter((name) => name.endsWith('.json'));
for (const name of recordings) {
  files.set(`demo/${name}`, readFileSync(join('src/cli/demo', name), 'utf8'));
}
// The same where no pytest is installed: its requests name what comes with Python.
const python = readFileSync('src/cli/demo/python.json', 'utf8');
const plain = python.replaceAll('python -m pytest -q', 'python -m unittest');
files.set('demo/python-unittest.json', plain);
// What editors read of a settings file.
files.set('config.schema.json', readFileSync('src/host/config/config.schema.json', 'utf8'));
// What readers of `--json` in other languages read of its events.
files.set('events.schema.json', readFileSync('src/schema/events/events.schema.json', 'utf8'));
// What `man agent` shows; npm puts it in its place.
const manPage = [join('scripts', 'run.mjs'), join('scripts', 'make-man-page.ts')];
files.set('agent.1', execFileSync(process.execPath, manPage, { encoding: 'utf8' }));
const inputs = [...bundles, ofPage].flatMap((bundle) => bundle.inputs);
files.set('LICENSES.txt', licenceText(packageFolders(inputs)));
if (existsSync(ENTRIES.index)) {
  const typed = declarations(root, [ENTRIES.index, COMPAT, ENTRIES.client]);
  for (const [path, text] of typed) files.set(`types/${path}`, text);
  files.set('index.d.ts', `${NODE_TYPES}export * from './types/index.js';\n`);
  files.set('compat.d.ts', `${NODE_TYPES}export * from './types/compat.js';\n`);
  files.set('client.d.ts', "export * from './types/server/client/client.js';\n");
}

for (const [path, text] of files) {
  replaceFile(join(dist, path), /\.c?js$/.test(path) ? asAscii(path, text) : text);
}
for (const name of ['bin.cjs', 'bin.js', ...commands]) chmodSync(join(dist, name), 0o755);
// When it was built, also where nothing of it changed: who finds sources newer than that builds again.
utimesSync(join(dist, 'bin.cjs'), new Date(), new Date());
removeStale(dist);

function packageBins(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin;
}

function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** Files of an earlier build; those of a build beside this one begin with a dot. */
function removeStale(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeStale(path);
    else if (
      !entry.name.startsWith('.') &&
      !files.has(relative(dist, path).replaceAll('\\', '/'))
    ) {
      rmSync(path, { force: true });
    }
  }
}
