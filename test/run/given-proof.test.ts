/** The command by which a person proves the goal. */
import { describe, expect, it } from 'vitest';
import { ruleOfProof } from '../../src/run/start/given-proof.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import { playInMemory } from '../support/evaluated.ts';
import { goldenWorld } from '../support/golden-world.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { DONE, edit, MEND, plan, play, write } from '../support/play.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';

const CALC = 'export const add = (a, b) => a - b;\n';
const CHECK =
  "import { add } from './calc.mjs';\nif (add(2, 3) !== 5) throw new Error('it is ' + add(2, 3));\n";
const PROOF = 'node check.mjs';
const hello = write('hello.mjs', 'console.log("hello");\n');

type Work = Omit<Parameters<typeof play>[0], 'goal'> & { readonly proof: string };

/** A model that leads. */
async function played({ proof, ...work }: Work) {
  const heard: string[] = [];
  const result = await playInMemory(
    { goal: 'do what is right', ...work, hears: (text) => heard.push(text) },
    {},
    { proof },
  );
  return { ...result, detail: 'detail' in result ? result.detail : '', heard };
}

describe('a proof that the person gave, where the model leads', () => {
  it('is told with the goal, is the proof of any plan, and makes the goal achieved', async () => {
    const { ending, detail, heard, state } = await played({
      proof: PROOF,
      files: { 'calc.mjs': CALC, 'check.mjs': CHECK },
      replies: [[plan('node --version'), MEND, DONE]],
    });
    expect(heard[0]).toContain(
      `GOAL: do what is right\nIt is reached when this command passes: ${PROOF}`,
    );
    expect(state.plan?.proof).toEqual({ cmd: PROOF });
    expect([ending, detail]).toEqual([
      'achieved',
      `proof passed: ${PROOF}; before the first change it failed`,
    ]);
  });

  it('shows what runs for the first time', async () => {
    const work = { replies: [[plan(null), hello, DONE]] };
    const { ending, detail } = await played({ proof: 'node hello.mjs', ...work });
    expect([ending, detail]).toEqual([
      'achieved',
      'proof passed: node hello.mjs; before the first change it failed',
    ]);
  });

  it('is told at the start where its program cannot run, and is not stopped by that', async () => {
    const said: string[] = [];
    const emit = (event: RunEvent): void => {
      if (event.type === 'notice') said.push(event.text);
    };
    for (const proof of ['no-such-program -q', './check.sh'])
      await play(
        { goal: 'do it', files: { 'check.sh': '' }, replies: [[plan(null), hello, DONE]] },
        { proof, emit },
      );
    expect(said.filter((text) => text.includes('cannot run as things are'))).toEqual([
      expect.stringContaining('There is no program no-such-program on this machine'),
      expect.stringContaining('./check.sh lies in the workspace; files there are not run as'),
    ]);
  });

  it('is not reached by words, nor by work that does not pass it, and its failure asks for no other', async () => {
    const files = { 'calc.mjs': CALC, 'check.mjs': CHECK };
    const words = await played({ proof: PROOF, files, replies: ['It is all right.'] });
    expect(words.ending).not.toBe('answered');
    expect(words.ending).not.toBe('achieved');
    const other = await played({ proof: PROOF, files, replies: [[plan(null), hello, DONE]] });
    expect(other.ending).not.toBe('achieved');
    expect(other.heard.at(-1)).toContain('Not done yet.');
    expect(other.heard.at(-1)).toContain('it is -1');
    expect(other.heard.join('\n')).not.toContain('with another one');
  });

  it('is not proved by a check that the run changed', async () => {
    const files = { 'calc.mjs': CALC, 'check.mjs': CHECK };
    const cheat = edit('check.mjs', '!== 5', '!== -1');
    const { ending, detail } = await played({
      ...{ proof: PROOF, files },
      replies: [[plan(null), cheat, DONE]],
    });
    expect([ending, detail]).toEqual([
      'unverified',
      `${PROOF} passes, but this run changed check.mjs, which it runs; the model's reason: it is done`,
    ]);
  });

  it('is not proved where the run changes what the command runs to nothing', async () => {
    const { ending } = await played({
      proof: 'node calc.test.mjs',
      files: {
        'calc.mjs': CALC,
        'calc.test.mjs': `import test from 'node:test';\n${CHECK.replace('if (', "test('adds', () => { if (").trimEnd()} });\n`,
      },
      replies: [[plan(null), write('calc.test.mjs', '// none\n'), DONE]],
    });
    expect(ending).not.toBe('achieved');
  });
});

const file = (path: string, text: string): string => `${path}\n\`\`\`\n${text}\`\`\``;

const NO_WORK: PlannedWork = { subtasks: [] };

describe('a proof that the person gave, where a small model is led', () => {
  const tried = async (answers: readonly string[], more: RunIn = {}) => {
    const world = goldenWorld({});
    world.write('check.py', 'import sys\nsys.exit(0)\n');
    let said = 0;
    const script = diligentModel(NO_WORK);
    const provider = scriptedProvider((request, at) => {
      const isTry = request.messages.at(-1)?.content.startsWith('Goal: ') === true;
      if (!isTry) return script(request, at);
      said += 1;
      return { text: answers[said - 1] ?? answers.at(-1) ?? '' };
    });
    const told = await runIn(world, provider, {
      ...{ goal: 'Write hello.py', toolMode: 'json', plainTry: true, proof: 'python hello.py' },
      ...more,
    });
    return { ...told, world, provider };
  };

  it('is told with the plain try, and asks it again where the answer does not pass', async () => {
    const { records, provider, world } = await tried([
      file('hello.py', 'raise NameError("hello")\n'),
      file('hello.py', 'print("hello")\n'),
    ]);
    expect(provider.requests[0]?.messages.at(-1)?.content).toMatch(
      /^Goal: Write hello.py\nIt is reached when this command passes: python hello.py/,
    );
    expect(records.filter(({ type }) => type === 'try_ended')).toMatchObject([{ again: true }]);
    expect(world.read('hello.py')).toBe('print("hello")\n');
    expect(records.find(({ type }) => type === 'plan_set')).toMatchObject({
      plan: { proof: { cmd: 'python hello.py' } },
    });
  });

  it('is not reached by a sentence', async () => {
    const { result } = await tried(['It prints hello.']);
    expect(result.ending).not.toBe('answered');
  });

  it('stays what it was: a later start with another one is told so', async () => {
    const world = goldenWorld({});
    const more = { goal: 'Write hello.py', toolMode: 'json', proof: 'python hello.py' } as const;
    const killed = runIn(world, scriptedProvider(diligentModel(NO_WORK)), {
      ...more,
      onRecord: ({ type }) => {
        if (type === 'settings_changed') throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const again = await runIn(world, scriptedProvider(diligentModel(NO_WORK)), {
      ...{ ...more, proof: 'python other.py' },
    });
    expect(again.result.state.givenProof).toBe('python hello.py');
    expect(again.events).toContainEqual({
      ...{ type: 'notice', level: 'warning' },
      text: 'This run keeps the proof that it began with: python hello.py',
    });
    expect(journalOf(world)[0]).toMatchObject({ type: 'run_opened', proof: 'python hello.py' });
  });
});

describe('a proof', () => {
  it('may run without asking, and nothing else by it', () => {
    expect(ruleOfProof('make -s "all of it"', 'linux')).toBe("run_cmd(make -s 'all of it')");
    expect(ruleOfProof('printf \\*', 'linux')).toBe("run_cmd(printf '\\*')");
  });

  for (const [proof, why] of [
    ['npm test && npm run lint', 'The proof "npm test && npm run lint" is not one command: '],
    ['cat *.txt', 'The proof "cat *.txt" is not one command: only a shell expands *.txt.'],
    ['  ', 'The proof "  " is not one command: cmd is empty.'],
  ] as const)
    it(`is refused before anything begins: ${proof}`, async () => {
      const started = runIn(
        goldenWorld({}),
        scriptedProvider(() => ({ text: '' })),
        { proof },
      );
      await expect(started).rejects.toMatchObject({
        code: 'E_USAGE',
        message: expect.stringContaining(why),
      });
    });

  it('is refused beside what it cannot serve', async () => {
    const started = (more: RunIn) =>
      runIn(
        goldenWorld({}),
        scriptedProvider(() => ({ text: '' })),
        { proof: 'make', ...more },
      );
    await expect(started({ wants: 'answer' })).rejects.toThrow('An answer changes nothing');
    await expect(started({ withTests: true })).rejects.toThrow('the proof "make" runs none');
    await expect(started({ keys: ['make'.repeat(5)], proof: 'make'.repeat(5) })).rejects.toThrow(
      'The proof contains a key.',
    );
  });
});
