/** The end of a run whose work was refused, and which has nothing but words. */
import { expect, it } from 'vitest';
import { resultBody } from '../../src/run/stream/result-body.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });

/** The model pushes, which is refused, and says that it did. */
async function pushed(plan: object, deny: readonly string[] = []) {
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
  const { result } = await runIn(testWorld(), provider, {
    ...{ goal: 'Push the branch', deny },
  });
  return result;
}

it('is no answer: the end says what was refused', async () => {
  expect(await pushed({})).toMatchObject({
    ending: 'unverified',
    detail: "git push origin main was refused; the model's reason: I pushed it.",
  });
});

it('is an answer where the plan wants only a text', async () => {
  expect(await pushed({ answer_only: true })).toMatchObject({ ending: 'answered' });
});

it('names the rules that would allow it, for whoever starts over', async () => {
  const body = resultBody(await pushed({}), {
    elapsedMs: 1,
    workspace: '/w',
    resume: 'agent resume',
  });
  expect(body).toMatchObject({ toAllow: ['git push origin main'], resume: null });
  const forbidden = await pushed({}, ['git push *']);
  expect(resultBody(forbidden, { elapsedMs: 1, workspace: '/w', resume: null }).toAllow).toBe(
    undefined,
  );
});
