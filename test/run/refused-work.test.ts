/** The end of a run whose work was refused, and which has nothing but words. */
import { expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });

/** The model pushes, which is refused, and says that it did. */
async function pushed(plan: object) {
  const tasks = [{ description: 'publish', subtasks: [{ do: 'push' }] }];
  const replies = [
    [call('set_plan', { tasks, ...plan })],
    [call('run_cmd', { cmd: 'git push origin main' })],
    [call('mark_subtask_complete', { success: true, reason: 'pushed', answer: 'I pushed it.' })],
  ];
  const provider = scriptedProvider(({ messages }) => {
    const calls = replies[messages.filter(({ role }) => role === 'assistant').length];
    return calls ? { calls } : { text: 'I pushed it.' };
  }, LARGE);
  const { result } = await runIn(testWorld(), provider, { goal: 'Push the branch' });
  return { ending: result.ending, detail: result.detail };
}

it('is no answer: the end says what was refused', async () => {
  expect(await pushed({})).toEqual({
    ending: 'unverified',
    detail: 'git push origin main was refused; to that the model says: I pushed it.',
  });
});

it('is an answer where the plan wants only a text', async () => {
  expect(await pushed({ answer_only: true })).toMatchObject({ ending: 'answered' });
});
