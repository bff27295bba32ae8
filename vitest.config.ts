import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { closingLine } from './test/support/closing-line.ts';
import { PLAIN_SOURCE, plainSource } from './test/support/plain-source.ts';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

/** As the bundler does: a file of another language is its text. */
const pythonAsText: Plugin = {
  name: 'python-as-text',
  transform: (code, id) =>
    id.endsWith('.py') ? { code: `export default ${JSON.stringify(code)};`, map: null } : null,
};

/**
 * Tests start Python many hundred times. Where a version manager answers to its name (pyenv, asdf),
 * that takes longer than Python itself: the tests find the one it stands for first.
 */
function pathToPython(): string {
  const path = process.env.PATH ?? '';
  if (process.platform === 'win32') return path;
  try {
    const own = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return [dirname(own.trim()), path].join(delimiter);
  } catch {
    return path;
  }
}

const define = { TARDIGRADE_VERSION: JSON.stringify(version) };
const root = fileURLToPath(new URL('.', import.meta.url));
// Who watches changes the sources while the tests run.
const isRun = process.argv.includes('run');

export default defineConfig({
  plugins: [pythonAsText, ...(isRun ? [plainSource(root, define)] : [])],
  define,
  test: {
    include: ['test/**/*.test.ts'],
    env: { PATH: pathToPython() },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One less, its default, leaves half of a two-core machine idle.
    maxWorkers: availableParallelism(),
    // No test changes what another one imports, so each module is loaded once for all of them.
    isolate: false,
    server: { deps: { external: [PLAIN_SOURCE] } },
    // A stack names the file and the line that were written.
    execArgv: ['--enable-source-maps'],
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
      closingLine((line) => process.stdout.write(`${line}\n`)),
    ],
  },
});
