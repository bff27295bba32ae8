/** Programs that draw lots, with the lots held still: real ones, as a copy of the workspace runs them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sameLots, variablesInCopy } from '../../src/languages/languages.ts';

/** What a program prints that draws three lots. */
function drawn(seed: number, program: string, args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-lots-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { files, variables } = sameLots(seed);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = { ...process.env, ...variablesInCopy(folder, process.platform), ...variables };
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';
const hasPython = spawnSync(PYTHON, ['--version']).status === 0;

describe.each<[string, boolean, string, readonly string[]]>([
  ['JavaScript', true, process.execPath, ['-p', '[1, 2, 3].map(Math.random)']],
  ['Python', hasPython, PYTHON, ['-c', 'import random\nprint(random.sample(range(999), 3))']],
])('lots of %s', (_, isHere, program, args) => {
  it.runIf(isHere)('are the same for one seed, and others for another', () => {
    const first = drawn(1, program, args);
    expect(first).toMatch(/\d/);
    expect(drawn(1, program, args)).toBe(first);
    expect(drawn(2, program, args)).not.toBe(first);
  });
});
