// One file that has Node in it: the built program as an asset of Node's single executable application.
// node scripts/make-single-program.mjs --node PATH --out FILE   (build first; PATH is a Node of the newest LTS)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { asAscii } from './lib/ascii.mjs';
import { settings } from './lib/bundle.mjs';
import { oneProgram } from './lib/one-program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { node, out } = parseArgs({
  options: { node: { type: 'string', default: process.execPath }, out: { type: 'string' } },
}).values;
if (out === undefined) throw new Error('Say where the file goes: --out FILE');
if (!existsSync(join(dist, 'program/start.cjs'))) throw new Error('Build first: npm run build');

const folder = mkdtempSync(join(tmpdir(), 'tardigrade-single-'));
try {
  await makeIn(folder, resolve(out));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function makeIn(folder, target) {
  const main = await bundledAlone('src/cli/process/single.ts');
  const child = await bundledAlone('src/llm/embedded/child.ts');
  writeFileSync(join(folder, 'main.cjs'), main);
  writeFileSync(join(folder, 'embedded-child.cjs'), child);
  writeFileSync(join(folder, 'program.cjs'), oneProgram(join(dist, 'program')));
  const read = [...['demo', 'page'].flatMap(filesIn), 'program/temporal-workflow.cjs'];
  writeFileSync(join(folder, 'files'), read.join('\n'));
  keepCompiled(join(folder, 'program.cjs'), join(folder, 'program.compiled'));
  const hash = createHash('sha256');
  for (const name of ['main.cjs', 'embedded-child.cjs', 'program.cjs']) {
    hash.update(readFileSync(join(folder, name)));
  }
  writeFileSync(join(folder, 'build'), hash.digest('hex').slice(0, 16));
  const own = ['program.cjs', 'program.compiled', 'embedded-child.cjs', 'files', 'build'];
  const assets = [
    ...own.map((name) => [name, join(folder, name)]),
    ...[...read, 'LICENSES.txt'].map((name) => [name, join(dist, name)]),
  ];
  const config = join(folder, 'config.json');
  const blob = join(folder, 'blob');
  const sea = { main: join(folder, 'main.cjs'), output: blob, assets: Object.fromEntries(assets) };
  writeFileSync(
    config,
    JSON.stringify({ ...sea, disableExperimentalSEAWarning: true, useCodeCache: true }),
  );
  execFileSync(node, ['--experimental-sea-config', config], { stdio: 'inherit' });
  inject(blob, target);
  console.log(`${target}: ${(readFileSync(target).length / 1e6).toFixed(1)} MB`);
}

/** A program of one file, with its own compiled code of nothing. */
async function bundledAlone(entry) {
  const { outputFiles } = await build({
    ...settings,
    ...{ entryPoints: [join(root, entry)], format: 'cjs', splitting: false, metafile: false },
  });
  const [{ path, text }] = outputFiles;
  return asAscii(basename(path), text);
}

function filesIn(name) {
  if (!existsSync(join(dist, name))) return [];
  return readdirSync(join(dist, name)).map((file) => `${name}/${file}`);
}

/** By the Node that will read it: V8 takes the code of its own version alone. */
function keepCompiled(source, kept) {
  const script = `const { readFileSync, writeFileSync } = require('node:fs');
    const { Script, constants } = require('node:vm');
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const source = readFileSync(process.argv[1], 'latin1');
    const script = new Script(source, { filename: 'tardigrade.cjs', importModuleDynamically });
    script.runInThisContext()(require);
    writeFileSync(process.argv[2], script.createCachedData());`;
  execFileSync(node, ['-e', script, source, kept], { stdio: 'inherit' });
}

function inject(blob, target) {
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { force: true });
  copyFileSync(node, target);
  chmodSync(target, 0o755);
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', target]);
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
  const words = [target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse];
  const mac = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
  // It warns of sections that it leaves as they are.
  execFileSync(process.execPath, [postject, ...words, ...mac], { stdio: 'ignore' });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', target]);
}
