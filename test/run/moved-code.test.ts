/** A small model that is to move code, and leaves the file as it is that the code was to go out of. */
import { expect, it } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const ADD = 'export function add(a, b) {\n  return a + b;\n}\n';
const TEST = `import test from 'node:test';
import assert from 'node:assert/strict';
import { add } from './calc.mjs';
test('add', () => assert.equal(add(2, 3), 5));
`;
const FENCE = '```';
const BROKEN = ADD.replace('return a + b', 'throw a');
const USED = "export { add } from './sums.mjs';\n";

/** @param calc what it answers for the file, one after the other */
async function moved(calc: readonly string[]) {
  const diligent = diligentModel({
    subtasks: [
      { action: 'write_file', file: 'sums.mjs', purpose: 'add(a, b)' },
      { action: 'edit_file', file: 'calc.mjs', purpose: 'gets add from sums.mjs' },
      { action: 'edit_file', file: 'calc.test.mjs', purpose: 'gets add from sums.mjs' },
    ],
    verify: { cmd: 'node --test', prints: 'pass' },
    files: {
      'sums.mjs': [ADD],
      'calc.test.mjs': [TEST.replace('calc', 'sums')],
    },
  });
  let asked = 0;
  const script: Script = (request, n) => {
    const question = request.messages.at(-1)?.content ?? '';
    if (!question.includes('the whole content of calc.mjs')) return diligent(request, n);
    asked += 1;
    if (asked === 2) {
      expect(question).toContain('It must not have this fault again: ');
      expect(question).toContain(`calc.mjs is now:\n${FENCE}\n${ADD}`);
    }
    return `${FENCE}\n${calc[Math.min(asked, calc.length) - 1]}${FENCE}`;
  };
  const world = testWorld((_args, _stdin, read) => {
    const calc = read('calc.mjs') ?? '';
    const tested = read('calc.test.mjs')?.includes('calc.mjs') && calc !== USED ? calc : null;
    const text = tested ?? read('sums.mjs') ?? '';
    return text.includes('return') && !text.includes('if (true) return')
      ? { output: 'ok 1 - add\n# pass 1\n# fail 0\n', exitCode: 0 }
      : { output: 'not ok 1 - add\n# pass 0\n# fail 1\n', exitCode: 1 };
  });
  world.write('calc.mjs', ADD);
  world.write('calc.test.mjs', TEST);
  const goal = 'Move add out of calc.mjs into sums.mjs; node --test passes before and after';
  const { result } = await runIn(world, scriptedProvider(script), { goal, toolMode: 'json' });
  const files = ['calc.mjs', 'calc.test.mjs', 'sums.mjs'].map((file) => world.read(file));
  return { result, asked, files };
}

it('is asked again for a file that came back as it was', async () => {
  const { result, asked, files } = await moved([ADD, USED]);
  expect(asked).toBe(2);
  // Its own test is no evidence where the goal shows no example: a person accepts the move.
  expect(result).toMatchObject({
    ending: 'unverified',
    detail: expect.stringContaining('by tests of this run alone'),
  });
  expect(files).toEqual([ADD, TEST, null]);
  expect('withheld' in result && result.withheld?.files.map(({ path }) => path).sort()).toEqual([
    ...['calc.mjs', 'calc.test.mjs', 'sums.mjs'],
  ]);
});

it('has not reached its goal where the file stays as it is, and all is as before', async () => {
  const { result, asked, files } = await moved([ADD]);
  expect(asked).toBe(2);
  expect(result).toMatchObject({
    ending: 'unverified',
    detail: expect.stringMatching(/^calc\.mjs was not changed/),
  });
  expect(files).toEqual([ADD, TEST, null]);
});

it('claims nothing where the test as it was does not hold, and all is as before', async () => {
  const { result, files } = await moved([BROKEN]);
  expect(result).toMatchObject({
    ending: 'unverified',
    detail: expect.stringContaining('in its earlier form it fails with the new code'),
  });
  expect(files).toEqual([ADD, TEST, null]);
});
