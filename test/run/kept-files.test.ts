/** A file that must only stay as it is need not be used by the work. */
import { expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const KEEP = 'data.csv bleibt, wie es ist';
const call = (name: string, args: object): ScriptedCall => ({ name, args: { ...args } });

/** @param first calls between the plan and the work */
async function mended(brief: object, first: readonly ScriptedCall[] = []) {
  const world = testWorld((_args, _stdin, see) =>
    see('calc.mjs')?.includes('a + b')
      ? { output: 'right\n', exitCode: 0 }
      : { output: 'wrong\n', exitCode: 1 },
  );
  world.write('calc.mjs', 'export const add = (a, b) => a - b;\n');
  world.write('check.mjs', "import './calc.mjs';\n");
  world.write('data.csv', '1\n');
  const calls = [
    call('run_cmd', { cmd: 'node check.mjs' }),
    plan({ brief }),
    ...first,
    call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' }),
    call('mark_subtask_complete', { success: true, reason: 'it is mended' }),
  ];
  const provider = scriptedProvider(({ messages }) => {
    const isFirst = !messages.some(({ role }) => role === 'assistant');
    return isFirst ? { calls } : { text: 'It is mended.' };
  }, LARGE);
  const { result } = await runIn(world, provider, { goal: `Behebe add in calc.mjs.\n${KEEP}` });
  const said = provider.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
  return { ...result, data: world.read('data.csv'), said: said.join('\n') };
}

const plan = (more: object): ScriptedCall =>
  call('set_plan', {
    tasks: [{ description: 'the work', subtasks: [{ do: 'mend it', files: ['calc.mjs'] }] }],
    ...{ proof: { cmd: 'node check.mjs' }, ...more },
  });

it('a named file that is kept by the words of the goal is no doubt', async () => {
  const result = await mended({ keep: [{ path: 'data.csv', quote: KEEP }] });
  expect(result).toMatchObject({ ending: 'achieved' });
});

it.each([{}, { keep: [{ path: 'data.csv', quote: 'data.csv bleibt' }] }])(
  'one that nothing but its name speaks of is, where the work does without it: %j',
  async (brief) => {
    const result = await mended(brief);
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).toContain('data.csv was not changed');
  },
);

const STAYS = [{ quote: KEEP, keep: 'data.csv' }];
const CHANGE = call('edit_file', { path: 'data.csv', old_text: '1', new_text: '2' });

it.each([
  CHANGE,
  call('write_file', { path: './data.csv', content: '2\n' }),
  call('move_file', { path: 'data.csv', to: 'other.csv' }),
  call('delete_file', { path: 'data.csv' }),
  call('apply_patch', { patch: '--- a/data.csv\n+++ b/data.csv\n@@ -1 +1 @@\n-1\n+2\n' }),
])('a file that must stay is changed by no tool, and the work goes on: $name', async (change) => {
  const result = await mended(STAYS, [change]);
  expect(result).toMatchObject({ ending: 'achieved', data: '1\n' });
});

it('nothing is claimed where it was changed before the goal was read so', async () => {
  const result = await mended([], [CHANGE, plan({ brief: STAYS, why: 'read again' })]);
  expect(result).toMatchObject({ ending: 'unverified', data: '2\n' });
  expect(result.detail).toContain('by the goal data.csv must stay, and this run changed it');
});
