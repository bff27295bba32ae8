/** A call that needs a yes: with a person, without one, through a crash, and from another terminal. */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/agent.ts';
import { originOf } from '../../src/context-manager/origin.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import type {
  AskPerson,
  PermissionQuestion,
  PersonsAnswer,
} from '../../src/round/permission/person.ts';
import { leaveAnswer } from '../../src/run/left-answers.ts';
import { AT_TERMINAL, BY_COMMAND, BY_OPTION } from '../../src/schema/journal/permissions.ts';
import { machineWithGit as machineOf, worldWithGit } from '../support/git-world.ts';
import { diligentModel, wantedBy } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, WORKSPACE } from '../support/test-machine.ts';

const KEY = new Uint8Array(32).fill(7);
const COMMIT = 'git commit -m "a b"';
const GIVEN_UP = { reason: 'It cannot be committed here.', needs: 'a yes to git commit' };
const WORK = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

/** Insists on a call until it was made, or until the user said no. */
function insisting(name: string, args: { readonly [name: string]: unknown }): Script {
  const model = diligentModel(WORK);
  return (request, n) => {
    if (wantedBy(request) !== 'tools') return model(request, n);
    const told = request.messages.map(({ content }) => content).join('\n');
    const isOver = /exit code 0|Wrote \d+ chars to \.github|said no/.test(told);
    return isOver ? model(request, n) : { calls: [{ name, args }] };
  };
}

const work = (
  world: TestWorld,
  options: RunIn = {},
  script = insisting('run_cmd', { cmd: COMMIT }),
) =>
  runIn(world, scriptedProvider(script), {
    machine: machineOf(world),
    toolMode: 'native',
    originKey: KEY,
    ...options,
  });

const ran = (world: TestWorld): readonly string[] =>
  world.commands.map(({ line }) => line).filter((line) => line.includes('commit'));

const whyOf = (result: RunResult): string =>
  result.ending === 'paused' ? result.why : result.ending;

const answering =
  (answer: PersonsAnswer, asked: PermissionQuestion[] = []): AskPerson =>
  async (question) => {
    asked.push(question);
    return answer;
  };

/** Commits too early, then plans it, and commits. */
const hasty: Script = ({ messages }) => {
  const said = messages.filter(({ role }) => role === 'assistant').length;
  const commit = { name: 'run_cmd', args: { cmd: COMMIT } };
  const plan = { tasks: [{ description: 'it', subtasks: [{ do: 'commit it' }] }] };
  if (said === 0) return { calls: [{ name: 'run_cmd', args: { cmd: 'git commit -m early' } }] };
  if (said === 1) return { calls: [{ name: 'set_plan', args: plan }, commit] };
  return { calls: [{ name: 'give_up', args: GIVEN_UP }] };
};

it('nobody is asked about a call that has to wait for a plan, whatever they would say', async () => {
  const asked: PermissionQuestion[] = [];
  const world = worldWithGit();
  await runIn(world, scriptedProvider(hasty, LARGE), {
    ...{ machine: machineOf(world), goal: 'Commit it', originKey: KEY },
    ask: answering({ kind: 'once' }, asked),
  });
  expect(asked.map(({ target }) => target)).toEqual([COMMIT]);
  expect(ran(world)).toHaveLength(1);
});

describe('without a person', () => {
  it('a call is refused once with what to do, noted, and waited for the second time', async () => {
    const world = worldWithGit();
    const { result, records } = await work(world);
    expect(whyOf(result)).toBe('waiting_for_person');
    expect(result.detail).toContain(COMMIT);
    expect(ran(world)).toEqual([]);
    const refused = records.filter(
      (one) => one.type === 'action_finished' && one.status === 'denied',
    );
    expect(refused).toHaveLength(1);
    expect(JSON.stringify(refused)).toContain("--allow 'git commit *'");
    expect(result.state.permissions?.open).toMatchObject([
      { target: COMMIT, rules: ['run_cmd(git commit *)'], isNoted: true },
    ]);
  });

  it('the very call is made once a resume allows it, and every resume after that knows the rule', async () => {
    const world = worldWithGit();
    await work(world);
    const allowed = await work(world, { goal: null, allow: ['git commit *'] });
    expect(ran(world)).toEqual(['/usr/bin/git commit -m a b']);
    expect(allowed.result.ending).toBe('achieved');
    expect(allowed.result.state.permissions).toMatchObject({
      open: [],
      rules: [{ rule: 'run_cmd(git commit *)', allowed: true, scope: 'run' }],
    });
  });

  it('a rule that was given at the start is still there after a pause', async () => {
    const world = worldWithGit();
    const stop = new AbortController();
    const onRecord = (record: { readonly type: string }) =>
      record.type === 'turn_finished' && stop.abort();
    await work(world, {
      allow: ['git commit *'],
      signal: stop.signal,
      onRecord: onRecord as never,
    });
    expect(ran(world)).toEqual([]);
    expect((await work(world, { goal: null })).result.ending).toBe('achieved');
    expect(ran(world)).toHaveLength(1);
  });

  it('with the same key no rule that somebody else signed counts', async () => {
    const world = worldWithGit();
    const stop = new AbortController();
    const onRecord = (record: { readonly type: string }) =>
      record.type === 'turn_finished' && stop.abort();
    await work(world, { signal: stop.signal, onRecord: onRecord as never });
    const { folder, run } = placeOf(world);
    const { fs } = world.machine();
    const theirs = originOf(new Uint8Array(32).fill(9));
    await work(world, { goal: null });
    const id = idOf(world);
    leaveAnswer({ fs, folder, run, origin: theirs }, { id, allowed: true, why: '' });
    expect(whyOf((await work(world, { goal: null })).result)).toBe('waiting_for_person');
    expect(fs.readdir(folder)).toEqual([]);
    expect(ran(world)).toEqual([]);
  });

  it('a signed answer that was left is taken, for exactly that call', async () => {
    const world = worldWithGit();
    await work(world);
    const { fs } = world.machine();
    const origin = originOf(KEY);
    leaveAnswer({ ...placeOf(world), fs, origin }, { id: idOf(world), allowed: true, why: '' });
    expect((await work(world, { goal: null })).result.ending).toBe('achieved');
    expect(ran(world)).toHaveLength(1);
  });

  it('a no ends the waiting: the model is told, and goes on without', async () => {
    const world = worldWithGit();
    await work(world);
    const { fs } = world.machine();
    const origin = originOf(KEY);
    leaveAnswer(
      { ...placeOf(world), fs, origin },
      { id: idOf(world), allowed: false, why: 'not yet' },
    );
    const { result } = await work(world, { goal: null });
    expect(result.ending).toBe('achieved');
    expect(ran(world)).toEqual([]);
    expect(JSON.stringify(journalOf(world))).toContain('The user said no: not yet. Do without it.');
  });

  it('--yes makes the call, and not what is denied', async () => {
    const world = worldWithGit();
    expect((await work(world, { yes: true })).result.ending).toBe('achieved');
    expect(ran(world)).toHaveLength(1);
    const other = worldWithGit();
    const push = insisting('run_cmd', { cmd: 'git push' });
    await work(other, { yes: true, maxRounds: 3 }, push);
    expect(other.commands.map(({ line }) => line).join()).not.toContain('push');
  });

  it('a file that tells others what to do is not written, and is named at the end', async () => {
    const world = worldWithGit();
    const args = { path: '.github/workflows/ci.yml', content: 'on: push\n' };
    const { result } = await work(world, {}, insisting('write_file', args));
    expect(whyOf(result)).toBe('waiting_for_person');
    expect(world.read('.github/workflows/ci.yml')).toBeNull();
    const rule = 'edit(/.github/workflows/ci.yml)';
    expect(result.state.permissions?.open).toMatchObject([{ rules: [rule] }]);
    await work(world, { goal: null, allow: [rule] }, insisting('write_file', args));
    expect(world.read('.github/workflows/ci.yml')).toBe('on: push\n');
  });

  it('what the model says when it gives up for want of it stands beside what is missing, apart from it', async () => {
    const world = worldWithGit();
    const provider = scriptedProvider(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      const plan = { tasks: [{ description: 'it', subtasks: [{ do: 'commit it' }] }] };
      if (said > 0) return { calls: [{ name: 'give_up', args: GIVEN_UP }] };
      return {
        calls: [
          { name: 'set_plan', args: plan },
          { name: 'run_cmd', args: { cmd: COMMIT } },
        ],
      };
    }, LARGE);
    const { result } = await runIn(world, provider, {
      machine: machineOf(world),
      goal: 'Commit it',
    });
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(result.detail).toContain('git commit');
    expect(result).toMatchObject({ summary: `${GIVEN_UP.reason} It needs: ${GIVEN_UP.needs}` });
  });

  it('a model that gave up for want of it is asked again once it is given', async () => {
    const world = worldWithGit();
    const said: string[] = [];
    const provider = scriptedProvider(({ messages }, n) => {
      said.push(messages.at(-1)?.content ?? '');
      const plan = { tasks: [{ description: 'it', subtasks: [{ do: 'commit it' }] }] };
      const planned = { name: 'set_plan', args: plan };
      const commit = { name: 'run_cmd', args: { cmd: COMMIT } };
      if (n === 1 || n === 3) return { calls: [planned, commit] };
      if (n === 2) return { calls: [{ name: 'give_up', args: GIVEN_UP }] };
      return {
        calls: [{ name: 'mark_subtask_complete', args: { success: true, summary: 'It.' } }],
      };
    }, LARGE);
    const options = { machine: machineOf(world), goal: 'Commit it', originKey: KEY };
    expect(whyOf((await runIn(world, provider, options)).result)).toBe('waiting_for_person');
    const given = { ...options, goal: null, allow: ['git commit *'] };
    const { result } = await runIn(world, provider, given);
    expect(said[2]).toBe(
      'Allowed now: git commit *. If you still need a call that was refused, make exactly the same call again. The plan stays. Go on with 1.1.',
    );
    expect(ran(world)).toEqual(['/usr/bin/git commit -m a b']);
    expect(result.state.givenUp).toBeNull();
  });

  it('what is given after the model had gone on without it is tried again', async () => {
    const world = worldWithGit();
    const once: Script = (request, n) => {
      const told = request.messages.map(({ content }) => content).join('\n');
      if (wantedBy(request) !== 'tools') return diligentModel(WORK)(request, n);
      if (told.includes('exit code 0')) return diligentModel(WORK)(request, n);
      const cannot = {
        name: 'mark_subtask_complete',
        args: { success: false, reason: 'no commit' },
      };
      const isAsked = told.includes('is not allowed') && !told.includes('git commit is allowed');
      return { calls: [isAsked ? cannot : { name: 'run_cmd', args: { cmd: COMMIT } }] };
    };
    const { result } = await work(world, {}, once);
    expect(whyOf(result)).toBe('waiting_for_person');
    const again = await work(
      world,
      { goal: null, allow: ['git commit *'] },
      insisting('run_cmd', { cmd: COMMIT }),
    );
    expect(again.result.ending).toBe('achieved');
    expect(ran(world)).toHaveLength(1);
  });
});

describe('an answer in the journal says who gave it and by which door', () => {
  const ADA = { by: 'Ada', door: 'server' };
  const givers = (world: TestWorld) =>
    journalOf(world).flatMap((one) =>
      one.type === 'approval_given' ? [{ id: one.id, by: one.by, door: one.door }] : [],
    );

  it.each([
    ['a callback', { kind: 'once' }, { by: 'caller', door: 'library' }],
    ['a terminal', { kind: 'run', ...AT_TERMINAL }, AT_TERMINAL],
    ['a program that says so', { kind: 'no', why: 'use jj', ...ADA }, ADA],
  ] as const)('from %s', async (_who, answer, written) => {
    const world = worldWithGit();
    await work(world, { ask: answering(answer) });
    const all = answer.kind === 'run' ? [written, written] : [written];
    expect(givers(world).map(({ by, door }) => ({ by, door }))).toEqual(all);
  });

  it('of a rule that was given at the start, and of a call that it allows', async () => {
    const world = worldWithGit();
    await work(world);
    await work(world, { goal: null, allow: ['git commit *'] });
    expect(givers(world)).toEqual([
      { id: 'option', ...BY_OPTION },
      { id: expect.stringMatching(/^[0-9a-f]{32}$/), by: 'rule', door: undefined },
    ]);
  });

  it('that was left from elsewhere', async () => {
    const world = worldWithGit();
    await work(world);
    const { fs } = world.machine();
    const place = { ...placeOf(world), fs, origin: originOf(KEY) };
    const id = idOf(world);
    leaveAnswer(place, { id, allowed: true, why: '', ...BY_COMMAND });
    expect((await work(world, { goal: null })).result.ending).toBe('achieved');
    expect(givers(world)).toEqual([{ id, ...BY_COMMAND }]);
  });
});

describe('with a person', () => {
  it('a question shows the call, its program and the rule, and a yes holds for that call alone', async () => {
    const world = worldWithGit();
    const asked: PermissionQuestion[] = [];
    const { result, records } = await work(world, { ask: answering({ kind: 'once' }, asked) });
    expect(result.ending).toBe('achieved');
    expect(asked).toMatchObject([
      {
        target: COMMIT,
        folder: WORKSPACE,
        program: '/usr/bin/git',
        offered: ['run_cmd(git commit *)'],
      },
    ]);
    const types = records.map(({ type }) => type).filter((type) => type.startsWith('approval'));
    expect(types).toEqual(['approval_asked', 'approval_given']);
    expect(result.state.permissions?.rules).toEqual([]);
  });

  it('a yes for this run is a rule of the journal, one for always is handed out, too', async () => {
    for (const kind of ['run', 'always'] as const) {
      const world = worldWithGit();
      const kept: string[] = [];
      const saveRules = (rules: readonly string[]) => void kept.push(...rules);
      const { result } = await work(world, { ask: answering({ kind }), saveRules });
      expect(result.state.permissions?.rules).toMatchObject([{ rule: 'run_cmd(git commit *)' }]);
      expect(kept).toEqual(kind === 'always' ? ['run_cmd(git commit *)'] : []);
    }
  });

  it('a no with its reason is what the model reads', async () => {
    const world = worldWithGit();
    const { result } = await work(world, { ask: answering({ kind: 'no', why: 'use jj' }) });
    expect(result.ending).toBe('achieved');
    expect(ran(world)).toEqual([]);
    expect(JSON.stringify(journalOf(world))).toContain('The user said no: use jj');
  });

  it('neither rule is offered for a shell or a file of keys', async () => {
    for (const [name, args] of [
      ['run_cmd', { cmd: 'bash x.sh' }],
      ['write_file', { path: '.env', content: 'A=1\n' }],
    ] as const) {
      const asked: PermissionQuestion[] = [];
      const ask = answering({ kind: 'no', why: '' }, asked);
      await work(worldWithGit(), { ask }, insisting(name, args));
      expect(asked.map(({ offered }) => offered)).toEqual([[]]);
    }
  });

  it('another content is another call: it is asked again; a question shows the change', async () => {
    const world = worldWithGit();
    const asked: PermissionQuestion[] = [];
    const file = (content: string) => insisting('write_file', { path: '.github/a.yml', content });
    await work(world, { ask: answering({ kind: 'once' }, asked) }, file('one'));
    await work(world, { again: true, ask: answering({ kind: 'once' }, asked) }, file('two'));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
    expect(asked[0]?.inputText).toContain('+++ .github/a.yml\n@@ -0,0 +1,1 @@\n+one');
  });

  it('killed or interrupted while asked it is asked again, and nothing ran', async () => {
    const world = worldWithGit();
    const stop = new AbortController();
    const leaving: AskPerson = async () => {
      stop.abort();
      return { kind: 'none' };
    };
    const { result } = await work(world, { ask: leaving, signal: stop.signal });
    expect(whyOf(result)).toBe('interrupted');
    expect(result.state.permissions?.open).toMatchObject([{ target: COMMIT, isNoted: false }]);
    const machine = machineOf(world);
    const dying: AskPerson = async () => {
      machine.kill();
      return { kind: 'once' };
    };
    await expect(work(world, { goal: null, ask: dying, machine })).rejects.toThrow('killed');
    expect(ran(world)).toEqual([]);
    const asked: PermissionQuestion[] = [];
    const last = await work(world, { goal: null, ask: answering({ kind: 'once' }, asked) });
    expect(last.result.ending).toBe('achieved');
    expect(asked).toHaveLength(1);
    expect(ran(world)).toHaveLength(1);
  });
});

function placeOf(world: TestWorld): { readonly folder: string; readonly run: string } {
  const [first] = journalOf(world);
  if (first?.type !== 'run_opened') throw new Error('no run');
  return { folder: layoutOf(WORKSPACE).answers, run: first.run };
}

function idOf(world: TestWorld): string {
  const noted = journalOf(world).findLast(({ type }) => type === 'permission_noted');
  if (noted?.type !== 'permission_noted') throw new Error('nothing noted');
  return noted.id;
}
