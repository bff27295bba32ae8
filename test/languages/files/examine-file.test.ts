import { expect, test } from 'vitest';
import { examineFiles } from '../../../src/languages/files/examine-file.ts';
import type { ProcessOutcome } from '../../../src/processes/contract.ts';
import { folderOf } from '../inspection-support.ts';

test('a patch of many files starts few programs at once, and each file has its facts', async () => {
  const paths = Array.from({ length: 20 }, (_, n) => `part${n}.py`);
  let running = 0;
  let most = 0;
  const processes = {
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { kind: 'exited', exitCode: 0, output: '' } as ProcessOutcome;
    },
  };
  const texts = Object.fromEntries(paths.map((path) => [path, 'x = 1\n']));
  const { deps, dispose } = folderOf(texts, { processes, program: async () => 'python' });
  const facts = await examineFiles(paths, () => deps);
  dispose();
  expect(facts.map(({ path }) => path)).toEqual(paths);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(10);
});
