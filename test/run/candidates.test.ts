/** A content of a small model is tried in the copy; another one is asked for only where a trial can choose. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { type ScriptedExample, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type ScriptedProgram, type TestWorld, testWorld } from '../support/test-machine.ts';

const code = (body: string): string => `export function add(a, b) {\n  return ${body};\n}\n`;
const [SUM, LESS, TIMES] = [code('a + b'), code('a - b'), code('a * b')];

/** What `add` gives by the code that is there. */
function add(text: string, a: number, b: number): number {
  if (text.includes('a + b')) return a + b;
  if (text.includes('a - b')) return a - b;
  return text.includes('a * b') ? a * b : 0;
}

/** Calls of `add` by `node -e`, and tests that want 2 + 3 to be 5. */
const node: ScriptedProgram = (args, _stdin, read) => {
  const text = read('calc.mjs') ?? '';
  const call = /\.add\)\((\d), (\d)\).*same\(v, (-?\d+)\)/s.exec(args.at(-1) ?? '');
  if (call) {
    const value = add(text, Number(call[1]), Number(call[2]));
    return { output: `gives ${value}\n`, exitCode: value === Number(call[3]) ? 0 : 1 };
  }
  if (text.includes('for (;;)')) return 'timeout';
  if (!args.includes('--test')) return { output: '', exitCode: 0 };
  return add(text, 2, 3) === 5
    ? { output: '# tests 1\n# pass 1\n# fail 0\n', exitCode: 0 }
    : { output: 'not ok 1 - adds\n# tests 1\n# pass 0\n# fail 1\n', exitCode: 1 };
};

const FIVE = 'Create calc.mjs that exports add(a, b), where add(2, 3) gives 5';
const example = (quote: string, input: string, result: string): ScriptedExample => ({
  ...{ quote, part: 1, how: 'call', input, result },
});

interface Case {
  readonly goal?: string;
  readonly examples?: readonly ScriptedExample[];
  readonly work?: PlannedWork;
  readonly file?: string;
  readonly world?: TestWorld;
  readonly more?: Partial<RunIn>;
}

const CALC: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'calc.mjs', purpose: 'add' }],
};

/** @param contents what the model answers each time the file is asked for; the last one again and again */
function modelOf(contents: readonly string[], { examples, work = CALC, file = 'calc.mjs' }: Case) {
  const asked: ModelRequest[] = [];
  const diligent = diligentModel(work);
  const provider = scriptedProvider(
    (request, n) => {
      const question = request.messages.at(-1)?.content ?? '';
      if (wantedBy(request) !== 'content' || !question.includes(file)) return diligent(request, n);
      asked.push(request);
      return `\`\`\`js\n${contents[Math.min(asked.length, contents.length) - 1]}\`\`\``;
    },
    examples ? { examples } : {},
  );
  return { asked, provider };
}

async function played(contents: readonly string[], one: Case = {}) {
  const { world = testWorld(node), goal = FIVE, file = 'calc.mjs' } = one;
  const { asked, provider } = modelOf(contents, one);
  const held = new Set<string>();
  const { result, records } = await runIn(world, provider, {
    ...{ goal, toolMode: 'json' as const, maxRounds: 4 },
    ...one.more,
    onRecord: (...told) => {
      held.add(world.read(file) ?? '');
      one.more?.onRecord?.(...told);
    },
  });
  held.add(world.read(file) ?? '');
  held.delete('');
  return { result, asked, world, held: [...held], records, requests: provider.requests };
}

const shownOf = (records: readonly JournalRecord[]) =>
  records.flatMap((one) =>
    one.type === 'file_candidate_shown'
      ? [[one.index, ...one.showed.flatMap(({ check, failed }) => (failed ? [check] : []))]]
      : [],
  );
const takenOf = (records: readonly JournalRecord[]) =>
  records.flatMap((one) => (one.type === 'file_candidate_taken' ? [one.index] : []));
const lastOf = (request: ModelRequest | undefined): string =>
  request?.messages.at(-1)?.content ?? '';

describe('the content of a file', () => {
  it('is asked for again, warmer, where an example of the goal does not hold, and the first that holds is written', async () => {
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const { asked, held, records } = await played([LESS, TIMES, SUM], { examples });
    expect(asked).toHaveLength(3);
    expect(asked.map(({ temperature }) => temperature)).toEqual([0.2, 0.5, 0.8]);
    expect(held).toEqual([SUM]);
    const check = 'example add(2, 3) gives 5';
    expect(shownOf(records)).toEqual([[0, check], [1, check], [2]]);
    expect(takenOf(records)).toEqual([2]);
    // What failed is said in one line, and no answer that was refused is shown.
    expect(lastOf(asked[1])).toContain('the goal says add(2, 3) gives 5, but it gives -1');
    expect(lastOf(asked[2])).toContain('but it gives 6');
    expect(JSON.stringify(asked[2]?.messages)).not.toContain('a - b');
    const questions = asked.map(({ messages, temperature }) =>
      JSON.stringify([messages, temperature]),
    );
    expect(new Set(questions).size).toBe(3);
  });

  it('that never holds makes the next plan hear which example does not, and no command of the engine', async () => {
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const { records } = await played([LESS, TIMES], { examples });
    const why = records.find(({ type }) => type === 'replan_started');
    expect(why).toMatchObject({ why: 'The goal says: add(2, 3) gives 5, but it gives 6' });
  });

  it('is asked for once more, for that alone, where a figure of the goal stands nowhere in it', async () => {
    const goal = `${FIVE}, and no sum is over 40`;
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const most = `${SUM}export const MAX = 40;\n`;
    const { asked, held, records } = await played([SUM, most], { goal, examples });
    expect(asked).toHaveLength(2);
    expect(lastOf(asked[1])).toContain('the goal says 40, which stands nowhere in it');
    expect(held).toEqual([most]);
    expect(shownOf(records)).toEqual([[0, 'figures of the goal'], [1]]);
    // It may be meant in another form: nobody is asked a third time.
    const stubborn = await played([SUM, SUM], { goal, examples });
    expect(stubborn.asked).toHaveLength(2);
    expect(stubborn.held).toEqual([SUM]);
  });

  it('is judged by the same each time: the earlier of two that lack the figure is written', async () => {
    const goal = `${FIVE}, and no sum is over 40`;
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const other = `${SUM}// another\n`;
    const both = await played([SUM, other], { goal, examples });
    expect(both.asked).toHaveLength(2);
    expect(shownOf(both.records)).toEqual([
      [0, 'figures of the goal'],
      [1, 'figures of the goal'],
    ]);
    expect(both.held).toEqual([SUM]);
    // The figure is asked for once, also where something else was first.
    const wrong = await played([LESS, 'no code (\n', other, SUM], { goal, examples });
    expect(wrong.asked).toHaveLength(3);
    expect(wrong.held).toEqual([other]);
  });

  it('that came back as it was is no measure of the next one', async () => {
    const world = testWorld(node);
    world.write('calc.mjs', LESS);
    const goal = 'Correct calc.mjs: add(2, 3) gives 5';
    const examples = [example(goal, 'add(2, 3)', '5')];
    const { asked, held } = await played([LESS, SUM], { goal, examples, world });
    expect(asked).toHaveLength(2);
    expect(held).toEqual([LESS, SUM]);
  });

  it('is asked for once where nothing was given', async () => {
    const { asked, held, records } = await played([LESS, SUM]);
    expect(asked).toHaveLength(1);
    expect(held).toEqual([LESS]);
    expect(shownOf(records)).toEqual([[0]]);
    expect(takenOf(records)).toEqual([]);
  });

  it('is the one that fails the fewest where all fail, the earlier of two, and the talk goes on from it', async () => {
    const goal = `${FIVE} and add(3, 3) gives 9`;
    const examples = [example(goal, 'add(2, 3)', '5'), example(goal, 'add(3, 3)', '9')];
    const { asked, held, records, requests } = await played([LESS, SUM, TIMES], { goal, examples });
    const first = shownOf(records).slice(0, 3);
    expect(first.map(({ length }) => length - 1)).toEqual([2, 1, 1]);
    expect(takenOf(records)[0]).toBe(1);
    expect(held[0]).toBe(SUM);
    const next = requests[requests.findIndex((one) => lastOf(one) === lastOf(asked[2])) + 1];
    const said = JSON.stringify(next?.messages);
    expect(said).toContain('a + b');
    expect(said).not.toContain('a * b');
  });

  it('is asked for again where it does not parse, and what does not is never written', async () => {
    const work = { subtasks: [{ action: 'write_file', file: 'data.json', purpose: 'two' }] };
    const one = { goal: 'Write data.json with two numbers', work, file: 'data.json' };
    const { asked, held, records } = await played(['[1, 2\n', '[1, 2]\n'], one);
    expect(asked).toHaveLength(2);
    expect(held).toEqual(['[1, 2]\n']);
    expect(shownOf(records)).toEqual([[0, 'it parses'], [1]]);
  });

  it('is asked for again where tests that were there get worse', async () => {
    const world = testWorld(node);
    world.write('calc.mjs', SUM);
    world.write('calc.test.mjs', "import './calc.mjs';\n");
    const goal = 'Change calc.mjs so that add is short';
    const shorter = `${SUM}// short\n`;
    const { asked, held, records } = await played([LESS, shorter], { goal, world });
    expect(asked).toHaveLength(2);
    expect(held).toEqual([SUM, shorter]);
    expect(shownOf(records)).toEqual([[0, 'node --test is no worse'], [1]]);
    expect(lastOf(asked[1])).toContain('node --test fails');
  });

  it('is written where the tests fail as they did before', async () => {
    const world = testWorld(node);
    world.write('calc.mjs', LESS);
    world.write('calc.test.mjs', "import './calc.mjs';\n");
    const goal = 'Change calc.mjs so that add is short';
    const { records } = await played([TIMES], { goal, world, more: { maxRounds: 3 } });
    expect(shownOf(records)[0]).toEqual([0]);
  });

  it('is asked for again where the program does not end', async () => {
    const work = { ...CALC, verify: { cmd: 'node calc.mjs' } };
    const goal = 'Write calc.mjs that prints nothing';
    const endless = `${SUM}for (;;) {}\n`;
    const { asked, held, records } = await played([endless, SUM], { goal, work });
    expect(asked).toHaveLength(2);
    expect(held).toEqual([SUM]);
    expect(shownOf(records)).toEqual([[0, 'node calc.mjs ends'], [1]]);
  });

  it('is only read while other code of the plan is to be written: what it needs may be missing', async () => {
    const other = { action: 'write_file', file: 'other.mjs', purpose: 'more' };
    const work = { subtasks: [...CALC.subtasks, other], files: { 'other.mjs': ['// other\n'] } };
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const { records } = await played([LESS, SUM], { work, examples, more: { maxRounds: 1 } });
    expect(shownOf(records)).toEqual([[0]]);
  });

  it('is the best of those that came where no further answer can be used', async () => {
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const world = testWorld(node);
    let asked = 0;
    const model = scriptedProvider(
      (request, n) => {
        if (wantedBy(request) !== 'content') return diligentModel(CALC)(request, n);
        asked += 1;
        return asked > 1 ? 'I have done that.' : `\`\`\`js\n${LESS}\`\`\``;
      },
      { examples },
    );
    const { records } = await runIn(world, model, { goal: FIVE, toolMode: 'json', maxRounds: 1 });
    expect(asked).toBe(3);
    expect(takenOf(records)).toEqual([0]);
    expect(world.read('calc.mjs')).toBe(LESS);
  });
});

describe('after a kill', () => {
  it('no finished request is sent again and the same content is written, whichever record it came after', async () => {
    const examples = [example(FIVE, 'add(2, 3)', '5')];
    const whole = await played([LESS, TIMES, SUM], { examples });
    const count = whole.records.findIndex((one) => one.type === 'file_candidate_taken') + 2;
    const first = whole.records.findIndex((one) => one.type === 'plan_set') + 1;
    expect(count - first).toBeGreaterThan(15);
    for (const at of somePlaces(first, count + 1, 14)) {
      const world = testWorld(node);
      const { asked, provider } = modelOf([LESS, TIMES, SUM], { examples });
      const machine = world.machine();
      const options = { goal: FIVE, toolMode: 'json', maxRounds: 4 } as const;
      const killed = runIn(world, provider, {
        ...{ ...options, machine },
        onRecord: (_, n) => {
          if (n < at + 1) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, provider, options);
      expect(result.ending, `killed after record ${at}`).toBe(whole.result.ending);
      expect(asked, `killed after record ${at}`).toEqual(whole.asked);
      expect(world.read('calc.mjs'), `killed after record ${at}`).toBe(SUM);
      expect(takenOf(journalOf(world)), `killed after record ${at}`).toEqual([2]);
    }
  });
});
