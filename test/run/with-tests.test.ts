/** Tests that were asked for: what they must show before anything is claimed. Costly: real programs in real folders. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { diligentModel } from '../support/models.ts';
import {
  ADD,
  ALONE,
  CALC,
  call,
  cmd,
  DONE,
  given,
  MEND,
  own,
  type Played,
  plan,
  play,
  read,
  SUM,
  write,
} from '../support/play.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { someKills, somePlaces } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const FOLDERS = 'test/fixtures/planted-faults';
const filesIn = (folder: string): { readonly [path: string]: string } =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

/** A plan that names the test file that it writes. */
const planned = (test: string, cmd: string) =>
  call('set_plan', {
    tasks: [
      {
        description: 'the work',
        subtasks: [{ do: 'find the fault by a test and mend it', files: [test] }],
      },
    ],
    proof: { cmd },
  });

/** Only JavaScript is evaluated in memory. */
const played = async (work: Played, isPython = false) => {
  const result = isPython
    ? await play(work, { withTests: true })
    : await playInMemory(work, {}, { withTests: true });
  return { ending: result.ending, detail: 'detail' in result ? result.detail : '' };
};

describe('a folder with a planted fault and no test', () => {
  // One of them; `npm run crash` takes all.
  for (const name of someKills(readdirSync(FOLDERS).sort(), 6, 3)) {
    const there = filesIn(join(FOLDERS, name, 'given'));
    const { made, test, code, proof } = workIn(name);
    const goal = `${code} does not do what it says: find the fault and mend it`;
    const run = cmd(proof);

    it(`is achieved where the test that is made finds the fault: ${name}`, async () => {
      const heard: string[] = [];
      const seen = await played(
        {
          goal,
          files: there,
          replies: [
            [planned(test, proof), read(code), write(test, made[test] ?? ''), run],
            [write(code, made[code] ?? ''), run, DONE],
          ],
          hears: (text) => heard.push(text),
        },
        test.endsWith('.py'),
      );
      expect(seen).toMatchObject({ ending: 'achieved' });
      expect(seen.detail).toContain('the tests of this run fail with the code as it was before');
      // The test that it made told it of the fault before anything was mended.
      expect(heard[1]).toMatch(/AssertionError|ERR_ASSERTION/);
    });
  }
});

function workIn(name: string) {
  const made = filesIn(join(FOLDERS, name, 'work'));
  const [code = '', test = ''] = Object.keys(made).sort(
    (one, other) => Number(one.includes('test')) - Number(other.includes('test')),
  );
  const proof = test.endsWith('.py') ? 'python -m unittest' : `node ${test}`;
  return { made, test, code, proof };
}

/** What else they must show: test/evidence/trials/asked-tests.test.ts. */
it('new code with tests that were asked for is achieved where they fail with it emptied', async () => {
  const test = own("test('adds', () => assert.equal(add(2, 3), 5));");
  const replies = [[planned('calc.test.mjs', ALONE), SUM, test, DONE], [DONE]];
  expect(await played({ goal: ADD, replies })).toMatchObject({ ending: 'achieved' });
});

describe('beside tests that were there', () => {
  const other = 'more.test.mjs';

  it('nothing is claimed without one, and the end says so', async () => {
    const replies = [[planned(other, ALONE), read('calc.mjs'), MEND, DONE], [DONE]];
    expect(await played({ goal: 'Mend calc.mjs', files: given, replies })).toEqual({
      ending: 'unverified',
      detail: expect.stringContaining('this run made no test file'),
    });
  });
});

describe('a plan', () => {
  it('of a model that leads is refused with the reason, without a new test file and with another proof', async () => {
    const heard: string[] = [];
    await played({
      goal: 'Mend calc.mjs',
      files: { 'calc.mjs': CALC },
      replies: [
        [plan(ALONE)],
        [planned('calc.test.mjs', 'node calc.mjs')],
        [planned('calc.test.mjs', ALONE)],
        [MEND, own("test('adds', () => assert.equal(add(2, 3), 5));"), DONE],
      ],
      hears: (text) => heard.push(text),
    });
    expect(heard[0]).toContain('Tests are asked for: write a new test file');
    expect(heard[1]).toContain('name in files of a subtask the new test file that it writes');
    expect(heard[2]).toContain('its proof must be the command that runs them');
    expect(heard[3]).toContain('The plan is set.');
  });

  const WORK = {
    subtasks: [{ action: 'write_file', file: 'calc.mjs', purpose: 'add' }],
    verify: { cmd: 'node calc.mjs' },
    files: { 'calc.mjs': ['export const add = (a, b) => a + b;\n'] },
  };
  const guided = () => {
    const asked: string[] = [];
    const diligent = diligentModel(WORK);
    const provider = scriptedProvider((request, n) => {
      asked.push(request.messages.at(-1)?.content ?? '');
      return diligent(request, n);
    });
    return { asked, provider };
  };
  const options = { goal: 'Create calc.mjs with add(a, b)', toolMode: 'json' } as const;

  it('of a model that is led is asked for once more with the reason', async () => {
    const { asked, provider } = guided();
    const { result } = await runIn(testWorld(), provider, { ...options, withTests: true });
    expect(asked[0]).toContain('a new test file that fails without it');
    expect(asked.join('\n')).toContain(
      'A plan before this one could not be used. No subtask writes the tests: keep the others and add calc.test.mjs.\nGOAL: ',
    );
    expect(result.ending).toBe('unverified');
  });

  it('that never comes leaves the end to say what of the tests was not shown', async () => {
    const diligent = diligentModel({ ...WORK, subtasks: [] });
    const { result } = await runIn(testWorld(), scriptedProvider(diligent), {
      ...{ ...options, withTests: true },
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('none was tried with the code emptied'),
    });
  });

  it('is held to it by a resume too, wherever the run was killed', async () => {
    const calm = testWorld();
    await runIn(calm, guided().provider, { ...options, withTests: true });
    expect(journalOf(calm)[0]).toMatchObject({ withTests: true });
    for (const at of somePlaces(1, journalOf(calm).length, 14)) {
      const world = testWorld();
      const machine = world.machine();
      await runIn(world, guided().provider, {
        ...{ ...options, withTests: true, machine },
        onRecord: (_record, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      }).catch(() => undefined);
      const { result } = await runIn(world, guided().provider, { goal: null });
      expect(result, `at ${at}`).toMatchObject({ ending: 'unverified' });
      expect('detail' in result && result.detail).toContain('this run made no test file');
    }
  });
});

describe('a run that began without the wish', () => {
  it('is held to it from the start that asks for it', async () => {
    const world = testWorld();
    const machine = world.machine();
    const work = diligentModel({
      subtasks: [{ action: 'write_file', file: 'a.txt', purpose: 'a' }],
      files: { 'a.txt': ['a\n'] },
    });
    await runIn(world, scriptedProvider(work), {
      ...{ goal: 'Write a.txt', machine },
      onRecord: (_record, index) => {
        if (index < 3) return;
        machine.kill();
        throw new Error('killed');
      },
    }).catch(() => undefined);
    const { records } = await runIn(world, scriptedProvider(work), {
      ...{ goal: null, withTests: true },
    });
    expect(records.find(({ type }) => type === 'lease_taken')).toMatchObject({ withTests: true });
  });
});
