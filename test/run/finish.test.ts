/** What a run may claim at its end: whole runs whose work would have been enough before. */
import { describe, expect, it } from 'vitest';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, runIn, SAY_HELLO } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const MODES = ['native', 'json'] as const;

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const look = (file: string) => ({ action: 'read_file', file, purpose: 'see what it says' });

describe.each(MODES)('the end of a run in %s mode', (toolMode) => {
  async function play(goal: string, work: PlannedWork, given: { [path: string]: string } = {}) {
    const world = testWorld();
    for (const [path, text] of Object.entries(given)) world.write(path, text);
    const { result } = await runIn(world, scriptedProvider(diligentModel(work)), {
      goal,
      toolMode,
    });
    const end = journalOf(world).findLast((record) => record.type === 'run_finished');
    return { result, named: end?.type === 'run_finished' ? end.named : undefined };
  }

  it('claims what the goal names and the run made', async () => {
    const { result, named } = await play(SAY_HELLO, HELLO);
    expect(result.ending).toBe('achieved');
    expect(named).toEqual([{ path: 'hello.mjs', became: 'made' }]);
  });

  it('claims nothing where another file was written than the goal names', async () => {
    const { result, named } = await play('Write greeting.mjs that says hello', HELLO);
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: 'the goal names greeting.mjs, but there is no such file',
    });
    expect(named).toEqual([{ path: 'greeting.mjs', became: 'not_known' }]);
  });

  /** In other scripts: test/languages/files/named-files.test.ts. */
  it('claims nothing where no space tells the name of a missing file', async () => {
    const goal = '请写hello.mjs和report.md。 node hello.mjs prints "hello"';
    const { result } = await play(goal, HELLO);
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: 'the goal names report.md, but there is no such file',
    });
  });

  it('claims nothing where nothing uses a given file that the goal names', async () => {
    const given = { 'words.txt': 'one two\n' };
    const { result } = await play('Write hello.mjs: it says hello to words.txt', HELLO, given);
    expect(result.ending).toBe('unverified');
    expect(result).toMatchObject({
      detail: expect.stringMatching(
        /^words\.txt was not changed, and node hello\.mjs does the same without it; the goal names it/,
      ),
    });
  });

  it('is an answer and no claim where a change was wanted and only looked at', async () => {
    const work = { subtasks: [look('README.md')], answer: 'It is corrected.' };
    const given = { 'README.md': 'Helo\n' };
    const { result } = await play('Correct the spelling', work, given);
    expect(result).toMatchObject({ ending: 'answered', detail: 'no file here was changed' });
  });

  it('claims nothing where all was done and nothing was run that shows it', async () => {
    const file = { action: 'write_file', file: 'GUIDE.md', purpose: 'tells how it is used' };
    const work = { subtasks: [file], files: { 'GUIDE.md': ['# Guide\n\nUse it.\n'] } };
    const { result } = await play('Write GUIDE.md', work);
    expect(result.ending).toBe('unverified');
  });

  it('says where the figures of an answer stand, and names those that were not read', async () => {
    const given = { 'bill.txt': 'water 12\nrent 640\n' };
    const of = (answer: string) =>
      play('How much is the rent in bill.txt?', { subtasks: [look('bill.txt')], answer }, given);
    expect((await of('The rent is 640.')).result).toMatchObject({
      ending: 'answered',
      detail:
        'no file here was changed; found in what was read, and not checked beyond that: 640 in bill.txt:2',
    });
    const { result } = await of('The rent is 650.');
    expect(result).toMatchObject({
      ending: 'answered',
      answer: 'The rent is 650.',
      detail: 'no file here was changed; found nowhere in what was read: 650',
    });
  });

  it('claims no file by an answer, also where the words of the goal are those of a question', async () => {
    const given = { 'answers.txt': 'Ada 5\nBob 7\n' };
    const file = { action: 'write_file', file: 'survey.txt', purpose: 'tells the average' };
    const work = { subtasks: [look('answers.txt'), file], answer: 'Ada 5, Bob 7' };
    const files = { 'survey.txt': ['Ada 5, Bob 7\n'] };
    for (const goal of ['Summarise answers.txt in survey.txt', 'Summarise answers.txt in a file']) {
      const { result } = await play(goal, { ...work, files }, given);
      expect(result.ending).toBe('unverified');
    }
  });

  it('claims nothing where a test that was there was changed', async () => {
    const test = "import test from 'node:test';\ntest('hello', () => {});\n";
    const work: PlannedWork = {
      ...HELLO,
      subtasks: [
        ...HELLO.subtasks,
        { action: 'read_file', file: 'hello.test.mjs', purpose: 'see what is wanted' },
        { action: 'write_file', file: 'hello.test.mjs', purpose: 'tests hello' },
      ],
      files: { ...HELLO.files, 'hello.test.mjs': ["import 'node:assert';\n"] },
    };
    const { result } = await play('Make the tests pass and add a test', work, {
      'hello.test.mjs': test,
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining(
        'hello.test.mjs was there before the run, which changed it: in its earlier form it fails with the new code: Error: Cannot find module',
      ),
    });
  });

  it('knows the names of files that it read, and of none that it did not find', async () => {
    const given = { 'bill.txt': 'rent 640\n' };
    const of = (answer: string) =>
      play('Which file tells the rent?', { subtasks: [look('bill.txt')], answer }, given);
    expect((await of('bill.txt says it: 640.')).result.state.verdict?.answer?.unread).toEqual([]);
    expect((await of('letter.txt says it: 640.')).result.state.verdict?.answer).toEqual({
      found: [{ what: '640', where: 'bill.txt:1', line: 'rent 640' }],
      unread: ['letter.txt'],
    });
  });

  it('is judged as work where files were changed beside the answer', async () => {
    const work: PlannedWork = {
      ...HELLO,
      subtasks: [look('bill.txt'), ...HELLO.subtasks],
      answer: 'The rent is 650.',
    };
    const { result } = await play('How much is the rent in bill.txt?', work, {
      'bill.txt': 'rent 640\n',
    });
    expect(result.ending).toBe('unverified');
  });

  it('sees tests that were there before the first change, by how they end and not by guessed words', async () => {
    let more = 'pass 1';
    const world = testWorld(() => ({ output: `${more}\n`, exitCode: 0 }));
    world.write('hello.test.mjs', "import 'node:test';\n");
    const work = { ...HELLO, verify: { cmd: 'node --test', prints: 'pass 2' } };
    const { result, records } = await runIn(world, scriptedProvider(diligentModel(work)), {
      goal: 'Write hello.mjs that says hello',
      toolMode,
      onRecord: (record) => {
        if (record.type === 'action_finished') more = 'pass 2';
      },
    });
    const before = records.filter((one) => one.type === 'check_ran' && one.when === 'before');
    expect(before).toMatchObject([{ check: { cmd: 'node --test' }, passed: true }]);
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringMatching(/^node --test passed before this run too/),
    });
  });
});
