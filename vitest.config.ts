import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { pathToPython } from './test/support/bare-python.ts';
import { closingLine } from './test/support/closing-line.ts';
import { folderForData } from './test/support/data-folder.ts';
import { nameAsWritten, PLAIN_SOURCE, plainSource } from './test/support/plain-source.ts';
import { quickFolder } from './test/support/quick-folder.ts';
import { folderForSockets } from './test/support/sockets.ts';
import { WaitingFirst } from './test/support/waiting-first.ts';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

/** As the bundler does: a file of another language is its text. */
const pythonAsText: Plugin = {
  name: 'python-as-text',
  transform: (code, id) =>
    id.endsWith('.py') ? { code: `export default ${JSON.stringify(code)};`, map: null } : null,
};

const define = { TARDIGRADE_VERSION: JSON.stringify(version) };
const root = fileURLToPath(new URL('.', import.meta.url));
// Who watches changes the sources while the tests run.
const isRun = process.argv.includes('run');
/**
 * Most of what tests call is called a few times in each file, and Node 20 takes a seventh of their time to
 * optimise it. Newer ones have a compiler that is cheaper, and not this option.
 */
const optimisingLess = process.versions.node.startsWith('20.')
  ? ['--interrupt-budget=1000000']
  : [];

export default defineConfig({
  plugins: [pythonAsText, ...(isRun ? [plainSource(root, define)] : [])],
  define,
  test: {
    include: ['test/**/*.test.ts'],
    env: {
      PATH: pathToPython(join(root, '.cache/python')),
      XDG_RUNTIME_DIR: folderForSockets(root),
      TMPDIR: quickFolder(),
      XDG_DATA_HOME: folderForData(quickFolder()),
      // Node reads it at each start, which takes longer than all else of a start. No test leaves this machine.
      NODE_EXTRA_CA_CERTS: '',
    },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // While one worker waits for a program or for the runner to read a file, another one works.
    maxWorkers: availableParallelism() + 1,
    // No test changes what another one imports, so each module is loaded once for all of them.
    isolate: false,
    server: { deps: { external: [PLAIN_SOURCE] } },
    sequence: { sequencer: WaitingFirst },
    onStackTrace: (_error, frame) => nameAsWritten(frame),
    // A test leaves much behind that is soon garbage.
    execArgv: ['--max-semi-space-size=32', ...optimisingLess],
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
      closingLine((line) => process.stdout.write(`${line}\n`)),
    ],
  },
});
