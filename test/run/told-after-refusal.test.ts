/** What a model and a person are told where a call was refused: turns of two runs that were really played. */
import { describe, expect, it } from 'vitest';
import { missingRules } from '../../src/cli/render/records/permissions.ts';
import { doneText } from '../../src/steps/gate/not-done.ts';
import {
  ADD,
  COMMIT,
  ends,
  givesUp,
  INSTALL,
  playing,
  type Replies,
  runs,
  VIEW,
  WRITES,
} from '../support/playing.ts';
import type { Told } from '../support/run-in.ts';
import type { ScriptedCall } from '../support/scripted-provider.ts';

/** A look that ends well. */
const STATUS = runs('node hello.mjs');

const planned = (...subtasks: readonly { readonly do: string; readonly done_when?: string }[]) => ({
  name: 'set_plan',
  args: {
    tasks: [{ description: 'it', subtasks }],
    proof: { cmd: 'node hello.mjs', prints: 'hello' },
  },
});

const claims = (success: boolean, said: { reason?: string; summary?: string }): ScriptedCall => ({
  name: 'mark_subtask_complete',
  args: { success, ...said },
});

const WRITTEN = { do: 'write hello.mjs' };
const COMMITTED = { do: 'Commit the result', done_when: 'git log -1 shows the commit' };
const UNTIL_COMMIT: Replies = [[planned(WRITTEN, COMMITTED), WRITES, ends(true)]];

const heard = ({ provider }: ReturnType<typeof playing>): string =>
  provider.requests
    .at(-1)
    ?.messages.map(({ content }) => content)
    .join('\n') ?? '';

const statusOf = ({ result }: Told, wanted: string): string | undefined =>
  result.state.plan?.tasks.flatMap(({ subtasks }) => subtasks).find(({ id }) => id === wanted)
    ?.status;

describe('a subtask whose call was refused', () => {
  const COMMITS = [ADD, COMMIT, STATUS, claims(true, { summary: 'It is written. Committed.' })];

  it('is not completed by a look beside it, and what was said of it before it was known is gone', async () => {
    const told = await playing([...UNTIL_COMMIT, COMMITS]).first();
    expect(statusOf(told, '1.2')).toBe('unverified');
    expect(doneText(told.result.state)).toBe(' (1 of 2 done)');
    expect(told.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(told.result.summary ?? '').not.toContain('Committed');
    expect(missingRules(told.result.state)).toEqual(['git add *', 'git commit *']);
  });

  it('is not called completed to the model, which is told why at once', async () => {
    const play = playing([
      [planned(COMMITTED, WRITTEN), ADD, COMMIT, STATUS, ends(true)],
      [WRITES, ends(true)],
    ]);
    await play.first();
    expect(heard(play)).not.toContain('1.1 is completed');
    expect(heard(play)).toContain(
      '1.1 is not completed: git add hello.mjs and git commit -m "a b" were refused.\nWhere another way is open, take it with set_plan; where none is, call give_up and say what it needs.',
    );
  });

  it('pauses the run where the model has heard of it, and knows no other way', async () => {
    const play = playing([
      [planned(WRITTEN), WRITES, ADD],
      [claims(true, { summary: 'Written; git add needs a yes.' })],
      [claims(true, { reason: 'git add needs a yes' })],
    ]);
    const told = await play.first();
    expect(told.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(missingRules(told.result.state)).toEqual(['git add *']);
    expect(play.provider.requests[2]?.messages.slice(-2).map(({ content }) => content)).toEqual([
      '1.1 is not completed: git add hello.mjs was refused.',
      'The end is in doubt: not done: 1.1 write hello.mjs (git add hello.mjs was refused). Mend that where it can be mended, and end 1.1 again; where it cannot, say so. This is said once.',
    ]);
  });

  it('may be made for a later subtask: the one that it was tried under is done without it', async () => {
    const play = playing([
      [planned(WRITTEN, COMMITTED), WRITES, ADD, COMMIT],
      [givesUp('git add and git commit')],
      [STATUS, ends(true)],
      [ADD, COMMIT, ends(true)],
    ]);
    await play.first();
    const told = await play.start(['git add *', 'git commit *']);
    expect(heard(play)).not.toContain('1.1 is not completed');
    expect(statusOf(told, '1.1')).toBe('completed');
    expect(told.result).toMatchObject({ ending: 'achieved' });
  });

  it('is not made by another call that the same rule allows: a wide rule says nothing of what was done', async () => {
    const play = playing([
      ...UNTIL_COMMIT,
      [ADD, COMMIT],
      [givesUp('git add and git commit')],
      [ADD, runs('git status'), ends(true)],
      [ends(true)],
      [ends(true)],
    ]);
    await play.first();
    const told = await play.start(['git *']);
    expect(play.ran().filter((line) => line.startsWith('git commit'))).toEqual([]);
    expect(told.result.ending).not.toBe('achieved');
    expect(told.result.state.refused?.map(({ target }) => target)).toEqual(['git commit -m "a b"']);
  });

  it('is named at the end beside what was made in other words, which a person can tell apart', async () => {
    const other = 'git commit -m "Say hello" -m "It prints it."';
    const play = playing([
      ...UNTIL_COMMIT,
      [ADD, COMMIT],
      [givesUp('git add and git commit')],
      [runs('git add -A'), runs(other), runs('git status'), ends(true)],
      [ends(true, 'all is committed')],
    ]);
    await play.first();
    const { result } = await play.start(['git add *', 'git commit *']);
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).toContain(
      `git add hello.mjs and git commit -m "a b" were refused, are allowed since, and were not made in the same words; git add -A and ${other} were made`,
    );
  });

  it.each([
    ['a dry run', COMMIT, 'git commit --dry-run', 'git commit *'],
    ['another target beside it', runs('git mv a b'), 'git mv a b c', 'git mv *'],
    ['other code', runs('npm exec -c "do it"'), 'npm exec -c "say it"', 'npm exec *'],
  ])('is not made by %s', async (_what, refused, made, rule) => {
    const play = playing([
      [planned(WRITTEN, COMMITTED), WRITES, ends(true), refused],
      [givesUp('it')],
      [runs(made), ends(true)],
      [ends(true, 'it is done')],
    ]);
    await play.first();
    const told = await play.start([rule]);
    expect(play.ran().join('\n')).toContain(made.replaceAll('"', ''));
    expect(told.result.ending).not.toBe('achieved');
    expect(told.result.state.refused?.map(({ target }) => target)).toEqual([refused.args.cmd]);
  });

  it('counts as one that changes something whatever words stand in it', async () => {
    const commit = runs('git commit -m "add pytest and npm test"');
    const told = await playing([
      [planned(WRITTEN, COMMITTED), WRITES, ends(true), commit, STATUS, ends(true)],
      [ends(true, 'it is done')],
    ]).first();
    expect(told.result.ending).not.toBe('achieved');
    expect(told.result.state.refused?.[0]?.isReadOnly).toBeUndefined();
  });

  it('ends with the newest word of the model: what it said before is withdrawn by it', async () => {
    const withdrawn = await playing([
      [planned(WRITTEN, COMMITTED), WRITES, claims(true, { summary: 'Written and committed.' })],
      [ADD, COMMIT],
      [claims(false, { reason: 'no permission', summary: 'Written. NOT committed.' })],
      [givesUp('git add and git commit')],
    ]).first();
    expect(withdrawn.result.summary).not.toContain('and committed');
  });

  it('says with success false what is true, also where no other plan is left', async () => {
    const fails = claims(false, { reason: 'no permission', summary: 'Written. NOT committed.' });
    const plan = planned(WRITTEN, COMMITTED);
    const told = await playing([
      [plan, WRITES, claims(true, { summary: 'Committed.' }), ADD],
      [fails],
      [plan, WRITES, ends(true), COMMIT],
      [fails],
      [plan, WRITES, ends(true), runs('git tag v1')],
      [fails],
    ]).first();
    expect(told.result).toMatchObject({ ending: 'paused', summary: 'Written. NOT committed.' });
    expect(told.result.detail).not.toContain('NOT committed');
  });
});

describe('a command that was refused', () => {
  const LS = runs('npm query zod');
  const SHOWN = { do: 'write hello.mjs', done_when: 'npm query zod shows it' };

  it('is none that failed: no gate asks for it to be run again', async () => {
    const play = playing([
      [planned(SHOWN, COMMITTED), LS, WRITES],
      [ends(true, 'hello.mjs is there'), ADD],
      [givesUp('git add')],
    ]);
    const told = await play.first();
    expect(heard(play)).not.toContain('run it again');
    expect(heard(play)).toContain('1.1 is not completed: npm query zod was refused');
    expect(statusOf(told, '1.1')).toBe('unverified');
  });
});

describe('a check that fails behind a refused call', () => {
  const FAILS = runs('node gone.mjs');

  it('is told with what was refused before it: it may fail for want of that', async () => {
    const play = playing([
      [planned({ do: 'write hello.mjs', done_when: 'node gone.mjs ends well' }), INSTALL],
      [WRITES, FAILS],
      [ADD, ends(true)],
      [givesUp('npm install zod')],
    ]);
    await play.first();
    expect(heard(play)).toContain(
      'The command node gone.mjs ended with exit code 1, and npm install zod was refused: mend that, and run it again.',
    );
  });

  it('is told with it, too, where it is the proof', async () => {
    const bad = { ...WRITES, args: { ...WRITES.args, content: 'console.log("bye");\n' } };
    const play = playing([
      [planned({ do: 'write hello.mjs' }), INSTALL],
      [bad, ends(true, 'written')],
      [givesUp('npm install zod')],
    ]);
    await play.start([], 'Write hello.mjs that says hello');
    expect(heard(play)).toMatch(/Not done yet\. .*\nIn this run npm install zod was refused\.\n/s);
  });
});

describe('a subtask that is called not done for want of a permission', () => {
  const FAILS = claims(false, { reason: 'git is refused', summary: 'Written. NOT committed.' });
  const types = ({ records }: Told): readonly string[] => records.map(({ type }) => type);

  it('pauses the run where no other is open, and nothing is planned anew', async () => {
    const play = playing([
      [planned(WRITTEN, COMMITTED), WRITES, ends(true), ADD],
      [STATUS, FAILS],
      [ADD, ends(true)],
    ]);
    const told = await play.first();
    expect(told.result).toMatchObject({
      ...{ ending: 'paused', why: 'waiting_for_person', summary: 'Written. NOT committed.' },
    });
    expect(told.result.detail).toContain('git add hello.mjs');
    expect(play.provider.requests).toHaveLength(2);
    expect(missingRules(told.result.state)).toEqual(['git add *']);
    const resumed = await play.start(['git add *']);
    expect(heard(play)).toContain(
      '1.2 waits for the person to allow it: git add hello.mjs was refused. The run pauses for it.',
    );
    expect(types(told).concat(types(resumed))).not.toContain('replan_started');
    expect(resumed.result.ending).toBe('achieved');
  });

  it('waits while the run goes on with those that are open', async () => {
    const play = playing([
      [planned(COMMITTED, WRITTEN), ADD],
      [STATUS, FAILS],
      [WRITES, claims(true, { summary: 'It is written.' })],
      [ADD, ends(true)],
    ]);
    const told = await play.first();
    expect(heard(play)).toContain(
      '1.1 waits for the person to allow it: git add hello.mjs was refused. The run goes on without it.\nACTIVE SUBTASK 1.2',
    );
    expect(statusOf(told, '1.2')).toBe('completed');
    expect(told.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(play.provider.requests).toHaveLength(3);
    expect((await play.start(['git add *'])).result.ending).toBe('achieved');
  });

  it('pauses, too, where the proof was red before', async () => {
    const play = playing([
      [planned(COMMITTED, WRITTEN), ADD],
      [STATUS, FAILS],
      [{ ...WRITES, args: { ...WRITES.args, content: 'console.log("bye");\n' } }, ends(true)],
      [INSTALL],
      [FAILS],
    ]);
    const told = await play.first();
    expect(told.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(types(told)).not.toContain('replan_started');
  });

  it('is planned anew where a person has said no, or nothing of it was refused', async () => {
    const play = playing([[planned(WRITTEN), WRITES], [FAILS]]);
    expect(types(await play.first())).toContain('replan_started');
    const denied = playing(
      [
        [planned(COMMITTED), ADD],
        [STATUS, FAILS],
      ],
      ['git add *'],
    );
    expect(types(await denied.first())).toContain('replan_started');
  });
});

describe('a permission that is given after the plan was left', () => {
  const LEFT: Replies = [
    [planned({ do: 'install zod' }, WRITTEN), INSTALL],
    [STATUS, ends(true, 'it may be there')],
    [WRITES, ends(false, 'zod is missing')],
    [givesUp('Allow npm install zod')],
  ];

  it('brings the plan back, and the model hears which it is', async () => {
    const play = playing([...LEFT, [INSTALL, ends(true), ends(true)]]);
    const left = await play.first();
    expect(left.records.map(({ type }) => type)).toContain('replan_started');
    expect(left.result.ending).toBe('paused');
    const told = await play.start(['npm install *']);
    expect(play.provider.requests[4]?.messages.at(-1)?.content).toBe(
      'Allowed now: npm install *. If you still need a call that was refused, make exactly the same call again. The plan stays. Go on with 1.1.',
    );
    expect(told.records.map(({ type }) => type)).not.toContain('replan_started');
    expect(told.result.ending).toBe('achieved');
  });
});

describe('the pause at a call that is made again', () => {
  it('is ended by one command with all that is open, whatever each call was made for', async () => {
    const play = playing([[VIEW], [planned(WRITTEN), WRITES, ADD], [VIEW]]);
    const { result } = await play.first();
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(result.detail).toMatch(/npm view zod version.*\ngit add hello\.mjs/);
    expect(missingRules(result.state)).toEqual(['npm view *', 'git add *']);
  });
});

describe('what a model that gives up needs', () => {
  const needs = (...commands: readonly string[]): ScriptedCall => ({
    name: 'give_up',
    args: { reason: 'It cannot be finished here.', needs: 'three permissions', commands },
  });

  it('is one list: what it tried, and what it says it would run', async () => {
    const play = playing([
      [planned({ do: 'install zod' }, WRITTEN, COMMITTED), INSTALL],
      [needs('npm install zod', 'git add hello.mjs', 'git commit -m "a b"')],
    ]);
    const { result } = await play.first();
    expect(missingRules(result.state)).toEqual(['npm install *', 'git add *', 'git commit *']);
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(play.ran()).toEqual([]);
  });

  it('is nothing that may be done anyway, that nobody may do, or that is no command', async () => {
    const play = playing([
      [planned({ do: 'install zod' }), INSTALL],
      [needs('npm install zod', 'node hello.mjs', 'sudo ls', '"')],
    ]);
    const { result } = await play.first();
    expect(missingRules(result.state)).toEqual(['npm install *']);
  });

  it('is given at once, and the plan goes on', async () => {
    const play = playing([
      [planned({ do: 'install zod' }, WRITTEN, COMMITTED), INSTALL],
      [needs('npm install zod', 'git add hello.mjs', 'git commit -m "a b"')],
      [INSTALL, ends(true), WRITES, ends(true), ADD, COMMIT, ends(true)],
    ]);
    await play.first();
    const { result } = await play.start(['npm install *', 'git add *', 'git commit *']);
    expect(play.provider.requests[2]?.messages.at(-1)?.content).toBe(
      'Allowed now: npm install *; git add *; git commit *. If you still need a call that was refused, make exactly the same call again. The plan stays. Go on with 1.1.',
    );
    expect(result.ending).toBe('achieved');
  });

  it('is heard where there was no plan yet, which did not work so either', async () => {
    const play = playing([
      [needs('npm install zod')],
      [planned({ do: 'install zod' }), INSTALL, WRITES, ends(true)],
    ]);
    expect(missingRules((await play.first()).result.state)).toEqual(['npm install *']);
    await play.start(['npm install *']);
    expect(play.provider.requests[1]?.messages.at(-1)?.content).toMatch(
      /^There is no plan, but a permission that was missing is given now: npm install \*\.\n/,
    );
    expect(play.ran()).toContain('/usr/bin/npm install zod');
  });
});
