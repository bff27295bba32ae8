/** When a subtask that a model is led through is done: by what can be seen, never by asking for it. */
import { expect, it } from 'vitest';
import type { RecordOf } from '../../../src/schema/records.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const READ = { action: 'read_file', file: 'notes.txt', purpose: 'see what it says' };
const WRITE = { action: 'write_file', file: 'hello.mjs', purpose: 'says it' };

async function run(goal: string, script: Script) {
  const world = testWorld();
  world.write('notes.txt', 'hello\n');
  const provider = scriptedProvider(script);
  const { records, result } = await runIn(world, provider, { goal, toolMode: 'json' });
  const said = records.filter(
    (one): one is RecordOf<'message_added'> & typeof one =>
      one.type === 'message_added' && one.role === 'user',
  );
  return { result, said, requests: provider.requests };
}

const causes = ({ said }: Awaited<ReturnType<typeof run>>): readonly string[] =>
  said.map(({ cause }) => cause).filter((cause) => /_question$|_failed$/.test(cause));

const work = (goal: string, plan: PlannedWork) => run(goal, diligentModel(plan));

it('a look before something is made, and what is made, end without a question', async () => {
  const told = await work('Write hello.mjs that says what stands in notes.txt', {
    subtasks: [READ, WRITE],
    verify: { cmd: 'node hello.mjs' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });
  expect(causes(told)).toEqual(['plan_question', 'content_question']);
});

it('a look with nothing behind it ends with the answer', async () => {
  const told = await work('What is in notes.txt?', { subtasks: [READ], answer: 'It says hello' });
  expect(causes(told)).toEqual(['plan_question', 'completion_question']);
  expect(String(told.said.at(-1)?.text)).toContain('Now answer the goal');
});

/** No plan comes, so the goal is the only subtask. */
const unplanned = (...actions: readonly object[]): Script => {
  let n = 0;
  return (request) => {
    switch (wantedBy(request)) {
      case 'plan':
        return 'no plan';
      case 'content':
        return '```\nhello\n```';
      default:
        return JSON.stringify(actions[n++] ?? actions.at(-1));
    }
  };
};

it('without a step it ends with what the model did, and nothing shows it done', async () => {
  const told = await run('say hello', unplanned({ action: 'write_file', file: 'a.txt' }));
  expect(causes(told)).toEqual(['plan_question', 'action_question', 'content_question']);
  expect(told.result).toMatchObject({
    ending: 'unverified',
    detail: 'no usable plan came, so nothing proves it',
  });
  expect(told.result.state.plan?.tasks[0]?.subtasks[0]?.status).toBe('unverified');
});

it('without a step what was looked at is in view: what follows makes something, or is the answer', async () => {
  const look = { action: 'read_file', file: 'notes.txt' };
  const answer = {
    action: 'mark_subtask_complete',
    success: true,
    answer: 'hello',
    reason: 'seen',
  };
  const told = await run('say hello', unplanned(look, answer));
  expect(causes(told)).toEqual(['plan_question', 'action_question', 'action_question']);
  const open = JSON.stringify(told.requests.at(-1)?.responseSchema);
  expect(open).toContain('write_file');
  expect(open).toContain('answer');
  expect(open).not.toContain('read_file');
  expect(told.result.ending).not.toBe('achieved');
});
