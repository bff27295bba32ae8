// npm test: the build, format and lint, and the types side by side; the tests begin once the build is there.
// What a check says is shown in one piece. One that fails while the tests run ends them and is told after
// them; one that ends well by then says nothing more. Arguments go to the test runner.

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
  // It runs in browsers, and is written in another form.
  'check:page': [program('typescript', 'tsc'), '--noEmit', '-p', join(root, 'src/page')],
};

/** Ends the tests: what comes after a check that failed is for nothing. */
const failing = new AbortController();

/** Resolves to whether it ended well; what it cannot be started for is said, too. */
function run(args, stdio, onText = () => {}, signal = undefined) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      ...{ cwd: root, stdio, signal },
      // As Ctrl+C does: the runner ends what its tests have started.
      killSignal: 'SIGINT',
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', onText);
    child.on('error', ({ name, message }) => {
      if (name !== 'AbortError') onText(`${message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** What failing checks said while the tests were speaking. */
let kept = null;

async function check([name, args]) {
  let said = '';
  const isWell = await run(args, ['ignore', 'pipe', 'pipe'], (text) => {
    said += text;
  });
  if (!isWell) said += `${said === '' || said.endsWith('\n') ? '' : '\n'}npm run ${name} failed\n`;
  if (kept === null) process.stdout.write(said);
  else if (!isWell) kept += said;
  if (!isWell) failing.abort();
  return isWell;
}

const [build, ...others] = Object.entries(CHECKS).map(check);
const tested = async () => {
  if (!(await build) || failing.signal.aborted) return false;
  kept = '';
  return run(
    [program('vitest'), 'run', ...process.argv.slice(2)],
    'inherit',
    undefined,
    failing.signal,
  );
};
const isWell = (await Promise.all([tested(), ...others])).every(Boolean);
process.stdout.write(kept ?? '');
process.exitCode = isWell ? 0 : 1;
