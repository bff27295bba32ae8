/** A file that must only stay as it is need not be used by the work. */
import { expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const KEEP = 'data.csv bleibt, wie es ist';
const call = (name: string, args: object): ScriptedCall => ({ name, args: { ...args } });

async function mended(brief: object) {
  const world = testWorld((_args, _stdin, see) =>
    see('calc.mjs')?.includes('a + b')
      ? { output: 'right\n', exitCode: 0 }
      : { output: 'wrong\n', exitCode: 1 },
  );
  world.write('calc.mjs', 'export const add = (a, b) => a - b;\n');
  world.write('check.mjs', "import './calc.mjs';\n");
  world.write('data.csv', '1\n');
  const first = [
    call('run_cmd', { cmd: 'node check.mjs' }),
    call('set_plan', {
      tasks: [{ description: 'the work', subtasks: [{ do: 'mend it', files: ['calc.mjs'] }] }],
      ...{ proof: { cmd: 'node check.mjs' }, brief },
    }),
    call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' }),
    call('mark_subtask_complete', { success: true, reason: 'it is mended' }),
  ];
  const provider = scriptedProvider(({ messages }) => {
    const isFirst = !messages.some(({ role }) => role === 'assistant');
    return isFirst ? { calls: first } : { text: 'It is mended.' };
  }, LARGE);
  const { result } = await runIn(world, provider, { goal: `Behebe add in calc.mjs.\n${KEEP}` });
  return result;
}

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
