/** Code that is emptied to see whether its tests notice, and tests that then never end. */
import { describe, expect, it } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const STORE = 'export function add(a, b) {\n  return a + b;\n}\n';
const TEST =
  "import test from 'node:test';\nimport { add } from './store.mjs';\ntest('adds', add);\n";

/** @param emptied how the tests end where the code does nothing */
const verdict = async (emptied: 'never' | 'well') => {
  const world = testWorld((_args, _stdin, read) =>
    read('store.mjs') === STORE
      ? { output: '# tests 1\n# pass 1\n# fail 0\n', exitCode: 0 }
      : emptied === 'never'
        ? 'timeout'
        : { output: '# tests 1\n# pass 1\n# fail 0\n', exitCode: 0 },
  );
  const { result, records } = await runIn(
    world,
    scriptedProvider(
      diligentModel({
        subtasks: [
          { action: 'write_file', file: 'store.mjs', purpose: 'adds' },
          { action: 'write_file', file: 'store.test.mjs', purpose: 'tests it' },
        ],
        verify: { cmd: 'node --test' },
        files: { 'store.mjs': [STORE], 'store.test.mjs': [TEST] },
      }),
    ),
    { goal: 'Create store.mjs that exports add(a, b), with tests', toolMode: 'native' },
  );
  const tried = records.flatMap((one) =>
    one.type === 'check_ran' && one.scratch ? [`${one.scratch.what} ${one.scratch.endless}`] : [],
  );
  return { result, tried };
};

describe('tests that never end where the code does nothing', () => {
  it('have noticed it', async () => {
    const { result, tried } = await verdict('never');
    expect(tried).toEqual(['unchanged undefined', 'emptied true', 'constant true']);
    expect(result).toMatchObject({
      ending: 'achieved',
      detail: expect.stringContaining('checked: the tests of this run fail with store.mjs emptied'),
    });
  });

  it('are told from tests that end well', async () => {
    expect((await verdict('well')).result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('the tests pass even when store.mjs does nothing'),
    });
  });
});
