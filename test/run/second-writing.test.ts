/** A run that is led, proved by its own tests alone: its code is written twice before it is claimed. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const ADD = 'export function add(a, b) {\n  return a + b;\n}\n';
const OTHER = 'export const add = (one, two) => one + two;\n';
const WITH_DATA = `const UNUSED = {"a": 1};\n${OTHER}`;
const LESS = 'export const add = (one, two) => one - two;\n';
const TEST = "import { add } from './calc.mjs';\n\nif (add(2, 3) !== 5) throw new Error();\n";

/** Its tests notice what `add` gives; a call of it says so. */
function calculator(): TestWorld {
  return testWorld((args, _stdin, read) => {
    const code = read('calc.mjs') ?? '';
    const isSum = /a \+ b|one \+ two/.test(code) && !code.includes('__constantOf');
    const gives = isSum ? 'sum' : 'something else';
    // The example of the goal ends well, its neighbours do not give what it gives.
    const isExample = args.some((arg) => arg.includes('.add)(2, 3)'));
    if (args.includes('-e'))
      return { output: `gives ${gives}\n`, exitCode: isExample && isSum ? 0 : 1 };
    return gives === 'sum'
      ? { output: '# tests 1\n# pass 1\n', exitCode: 0 }
      : { output: '# tests 1\n# fail 1\n', exitCode: 1 };
  });
}

const options = {
  goal: 'Create calc.mjs that exports add(a, b), where add(2, 3) gives 5, with tests',
  toolMode: 'json',
} as const;

const examples = [
  { quote: options.goal, part: 1, how: 'call', input: 'add(2, 3)', result: '5' },
] as const;

const isSecond = (text: string): boolean => text.includes('for all inputs');

/** @param seconds what the model answers when it is asked once more, and again */
function model(...seconds: readonly string[]) {
  const asked: string[][] = [];
  const work = diligentModel({
    subtasks: [
      { action: 'write_file', file: 'calc.mjs', purpose: 'add' },
      { action: 'write_file', file: 'calc.test.mjs', purpose: 'tests of add' },
    ],
    verify: { cmd: 'node --test' },
    files: { 'calc.mjs': [ADD], 'calc.test.mjs': [TEST] },
  });
  const script: Script = (request, n) => {
    const words = request.messages.map(({ content }) => content);
    if (!isSecond(words.at(-1) ?? '')) return work(request, n);
    asked.push(words);
    return { text: seconds[Math.min(asked.length, seconds.length) - 1] ?? '' };
  };
  return { asked, provider: scriptedProvider(script, { examples }) };
}

const block = (code: string): string => `\`\`\`js\n${code}\`\`\``;

const tried = (records: readonly JournalRecord[]): readonly string[] =>
  records.flatMap((one) =>
    one.type === 'check_ran' && one.scratch
      ? [`${one.scratch.what} ${one.scratch.about}`.trim()]
      : [],
  );

describe('a module with tests of its own', () => {
  it('is achieved where the code written a second time does the same', async () => {
    const world = calculator();
    const { asked, provider } = model(block(OTHER));
    const { result, records } = await runIn(world, provider, options);
    expect(result).toMatchObject({ ending: 'achieved' });
    expect('detail' in result && result.detail).toContain(
      'by tests of this run, which fail with calc.mjs emptied, and pass with it written a second time',
    );
    expect(tried(records)).toContain('second calc.mjs');
    expect(tried(records)).toContain('call add(3, 3), as written a second time');
    // The model sees neither the first writing nor its tests, and what it writes changes nothing.
    expect(asked).toHaveLength(1);
    expect(asked[0]?.slice(1)).toHaveLength(1);
    expect(asked[0]?.join('\n')).not.toContain('return a + b');
    expect(asked[0]?.at(-1)).toContain("import { add } from './calc.mjs'");
    expect(world.read('calc.mjs')).toBe(ADD);
    expect(records.filter((one) => one.type === 'weighed')).toHaveLength(1);
  });

  it('is achieved where the second writing imports itself as well, as others do', async () => {
    const world = calculator();
    const itself = `import { add } from './calc.mjs';   // add(a, b)\n${OTHER}`;
    let seen = '';
    const { result } = await runIn(world, model(block(itself)).provider, {
      ...options,
      onRecord: () => {
        seen += world.read('.agent_context/scratch/calc.mjs') ?? '';
      },
    });
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(seen).toContain(OTHER);
    expect(seen).not.toContain("from './calc.mjs'");
  });

  it('is code also where it holds data', async () => {
    const { asked, provider } = model(block(WITH_DATA));
    expect((await runIn(calculator(), provider, options)).result.ending).toBe('achieved');
    expect(asked).toHaveLength(1);
  });

  it('is asked for once more, and then no more, where what came is no code', async () => {
    const about = '{"functions": {"add": {"code": "return a + b"}}}';
    const again = model(about, block(OTHER));
    expect((await runIn(calculator(), again.provider, options)).result).toMatchObject({
      ending: 'achieved',
    });
    expect(again.asked).toHaveLength(2);
    expect(again.asked[1]).toEqual(again.asked[0]);
    const never = model(about);
    expect((await runIn(calculator(), never.provider, options)).result).toMatchObject({
      ending: 'unverified',
    });
    expect(never.asked).toHaveLength(2);
  });

  it.each([
    ['does something else', block(LESS), 'fails them'],
    ['is not code', 'I have done that already.', 'no second writing of calc.mjs'],
  ])('is unverified where what is written a second time %s', async (_, second, words) => {
    const world = calculator();
    const { result } = await runIn(world, model(second).provider, options);
    expect(result).toMatchObject({ ending: 'unverified' });
    expect('detail' in result && result.detail).toContain(words);
    expect(world.read('calc.mjs')).toBe(ADD);
  });

  it('is unverified where the goal shows no example that both were held against', async () => {
    const goal = 'Create calc.mjs that exports add(a, b), with tests';
    const { result } = await runIn(calculator(), model(block(OTHER)).provider, {
      ...options,
      goal,
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('the goal shows no example'),
    });
  });

  it('is asked for once, whichever record the process is killed after', async () => {
    const { goal } = options;
    const whole = await runIn(calculator(), model(block(OTHER)).provider, { ...options, goal });
    const at = whole.records.findIndex(
      (one) => one.type === 'message_added' && one.cause === 'second_writing',
    );
    expect(at).toBeGreaterThan(0);
    for (let index = at; index < whole.records.length - 1; index += 1) {
      const world = calculator();
      const { asked, provider } = model(block(OTHER));
      const machine = world.machine();
      const killed = runIn(world, provider, {
        ...options,
        goal,
        machine,
        onRecord: (_, count) => {
          if (count < index + 1) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, provider, { ...options, goal });
      expect(result, `killed after record ${index}`).toMatchObject({
        ending: 'achieved',
        detail: (whole.result as { detail: string }).detail,
      });
      expect(asked, `killed after record ${index}`).toHaveLength(1);
      expect(tried(journalOf(world)), `killed after record ${index}`).toEqual(tried(whole.records));
    }
  });
});
