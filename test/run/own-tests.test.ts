/** A run that is led, proved by its own tests alone: it is claimed where an example of the goal newly holds, too. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const ADD = 'export function add(a, b) {\n  return a + b;\n}\n';
const FIVE = 'export function add(a, b) {\n  return 5;\n}\n';
const TEST = "import { add } from './calc.mjs';\n\nif (add(2, 3) !== 5) throw new Error();\n";

/** Its tests notice what `add` gives; a call of it says so. */
function calculator(): TestWorld {
  return testWorld((args, _stdin, read) => {
    const code = read('calc.mjs') ?? '';
    const isWhole = !/__constantOf|if \(true\) return;/.test(code);
    const isFive = isWhole && code.includes('return 5');
    const isSum = isWhole && code.includes('a + b');
    const isExample = args.some((arg) => arg.includes('.add)(2, 3)'));
    if (args.includes('-e'))
      return {
        output: `gives ${isFive || isExample ? 5 : 6}\n`,
        exitCode: isFive || (isExample && isSum) ? 0 : 1,
      };
    return isSum || isFive
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

function model(code: string = ADD) {
  const asked: string[] = [];
  const work = diligentModel({
    subtasks: [
      { action: 'write_file', file: 'calc.mjs', purpose: 'add' },
      { action: 'write_file', file: 'calc.test.mjs', purpose: 'tests of add' },
    ],
    verify: { cmd: 'node --test' },
    files: { 'calc.mjs': [code], 'calc.test.mjs': [TEST] },
  });
  const provider = scriptedProvider(
    (request, n) => {
      asked.push(request.messages.at(-1)?.content ?? '');
      return work(request, n);
    },
    { examples },
  );
  return { asked, provider };
}

describe('a module with tests of its own, by a model that is led', () => {
  it('is achieved where an example of the goal newly holds, without another request', async () => {
    const { asked, provider } = model();
    const { result, records } = await runIn(calculator(), provider, options);
    expect(result).toMatchObject({ ending: 'achieved' });
    expect('detail' in result && result.detail).toContain(
      'checked: the tests of this run fail with calc.mjs emptied; as the goal says, add(2, 3) gives 5',
    );
    const proof = records.findLastIndex((one) => one.type === 'check_ran' && one.proof);
    expect(proof).toBeGreaterThan(0);
    expect(records.slice(proof).filter((one) => one.type === 'turn_finished')).toEqual([]);
    expect(asked.join('\n')).not.toContain('for all inputs');
  });

  it('is unverified where the example comes out for any input', async () => {
    const { result } = await runIn(calculator(), model(FIVE).provider, options);
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('comes out for any input'),
    });
  });

  it('is unverified where the goal shows no example', async () => {
    const goal = 'Create calc.mjs that exports add(a, b), with tests';
    const { result } = await runIn(calculator(), model().provider, { ...options, goal });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('the goal shows no example'),
    });
  });
});

describe('a run of a build that had its code written a second time', () => {
  const LINES = readFileSync('test/fixtures/format-3-second-writing/run.jsonl', 'utf8')
    .split(/(?<=\n)/)
    .filter((line) => line !== '');
  const at = LINES.findIndex((line) => line.includes('"cause":"second_writing"'));

  it('goes on to its end without a request, wherever it was killed', async () => {
    expect(at).toBeGreaterThan(0);
    for (const count of somePlaces(at + 1, LINES.length, 14)) {
      const world = calculator();
      world.write('calc.mjs', ADD);
      world.write('calc.test.mjs', TEST);
      const folder = layoutOf(WORKSPACE).history.slice(WORKSPACE.length + 1);
      world.write(folder.replaceAll('\\', '/'), LINES.slice(0, count).join(''));
      const { asked, provider } = model();
      const { result } = await runIn(world, provider, options);
      expect(result, `killed behind line ${count}`).toMatchObject({ ending: 'achieved' });
      expect(asked, `killed behind line ${count}`).toEqual([]);
      expect(journalOf(world).filter((one) => one.type === 'run_opened')).toHaveLength(1);
    }
  });
});
