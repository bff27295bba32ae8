/** When a model that is led is asked for its answer: once nothing is left to be made. */
import { expect, it } from 'vitest';
import { diligentModel, type PlannedWork } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const READ = { action: 'read_file', file: 'notes.txt', purpose: 'see what it says' };
const WRITE = { action: 'write_file', file: 'hello.mjs', purpose: 'says it' };

/** What a run was asked at the end of its subtasks. */
async function asked(goal: string, work: PlannedWork): Promise<readonly string[]> {
  const world = testWorld();
  world.write('notes.txt', 'hello\n');
  const { records } = await runIn(world, scriptedProvider(diligentModel(work)), {
    goal,
    toolMode: 'json',
  });
  return records.flatMap((one) =>
    one.type === 'message_added' && one.cause === 'completion_question' ? [String(one.text)] : [],
  );
}

it('a look before something is made is only called done', async () => {
  const questions = await asked('Write hello.mjs that says what stands in notes.txt', {
    subtasks: [READ, WRITE],
    verify: { cmd: 'node hello.mjs' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('Is this subtask done: read_file notes.txt');
});

it('a look with nothing behind it ends with the answer', async () => {
  const questions = await asked('What is in notes.txt?', {
    subtasks: [READ],
    answer: 'It says hello',
  });
  expect(questions[0]).toContain('Now answer the goal');
});
