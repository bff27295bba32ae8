import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { programsOn } from '../../src/host/programs-on.ts';
import { hasSandbox, machineWith } from '../support/sandboxed.ts';

/** Whether a program that the engine starts can write beside the workspace. */
async function writesOutside(request?: 'auto' | 'require'): Promise<boolean> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'programs-on-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'work');
  mkdirSync(join(workspace, '.agent_context'), { recursive: true });
  const { outside, run } = await programsOn(machineWith(), workspace, request);
  const found = await outside.find('node');
  if (found.kind !== 'found') throw new Error(found.reason);
  const code = "require('fs').writeFileSync('../outside.txt', '')";
  await run(
    {
      ...{ file: found.file, args: [...found.prefix, '-e', code], cwd: workspace },
      ...{ env: outside.environment(), timeoutMs: 30_000, maxOutputBytes: 1000 },
    },
    { signal: new AbortController().signal, onOutput: () => {} },
  );
  return existsSync(join(folder, 'outside.txt'));
}

it('what the engine starts is not confined where the commands of the run were not', async () => {
  expect(await writesOutside()).toBe(true);
});

it.skipIf(!hasSandbox)(
  'what the engine starts is confined as the commands of the run were',
  async () => {
    expect(await writesOutside('auto')).toBe(false);
    expect(await writesOutside('require')).toBe(false);
  },
);
