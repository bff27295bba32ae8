// npm test: the build, format and lint, and the types side by side, then the tests. What each of the first
// three says is shown in one piece once it has ended. Arguments go to the test runner.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The file that a package is started by: what lies in `.bin` is no program of Node's everywhere. */
function program(name, command = name) {
  const folder = join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

const CHECKS = {
  build: [join(root, 'scripts/build.mjs')],
  'check:format': [program('@biomejs/biome', 'biome'), 'ci', '--error-on-warnings', '.'],
  // Of what did not change since the last time it knows what it found.
  'check:types': [
    program('typescript', 'tsc'),
    '--noEmit',
    '--incremental',
    ...['--tsBuildInfoFile', join(root, '.cache/types.tsbuildinfo')],
  ],
};

/** Resolves to whether it ended well; what it cannot be started for is said, too. */
function run(args, stdio, onText = () => {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', onText);
    child.on('error', ({ message }) => {
      onText(`${message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

async function check([name, args]) {
  let said = '';
  const isWell = await run(args, ['ignore', 'pipe', 'pipe'], (text) => {
    said += text;
  });
  if (!isWell) said += `${said === '' || said.endsWith('\n') ? '' : '\n'}npm run ${name} failed\n`;
  process.stdout.write(said);
  return isWell;
}

const checked = await Promise.all(Object.entries(CHECKS).map(check));
const isWell =
  checked.every(Boolean) &&
  (await run([program('vitest'), 'run', ...process.argv.slice(2)], 'inherit'));
process.exitCode = isWell ? 0 : 1;
