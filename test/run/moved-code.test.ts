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
      expect(question).toContain('the same as before');
      expect(question).toContain(`calc.mjs is now:\n${FENCE}\n${ADD}`);
    }
    return `${FENCE}\n${calc[Math.min(asked, calc.length) - 1]}${FENCE}`;
  };
  const world = testWorld((_args, _stdin, read) =>
    (read('calc.test.mjs') ?? '').includes('sums') && read('sums.mjs')?.includes('return') !== true
      ? { output: 'not ok 1 - add\n# pass 0\n# fail 1\n', exitCode: 1 }
      : { output: 'ok 1 - add\n# pass 1\n# fail 0\n', exitCode: 0 },
  );
  world.write('calc.mjs', ADD);
  world.write('calc.test.mjs', TEST);
  const goal = 'Move add out of calc.mjs into sums.mjs; node --test passes before and after';
  const { result } = await runIn(world, scriptedProvider(script), {
    goal,
    toolMode: 'json',
    keep: true,
  });
  expect(world.read('calc.test.mjs')).toBe(TEST);
  return { result, asked, text: world.read('calc.mjs') };
}

it('is asked again for a file that came back as it was, and given tests are no part of its work', async () => {
  const { asked, text } = await moved([ADD, USED]);
  expect(asked).toBe(2);
  expect(text).toBe(USED);
});

it('has not reached its goal where the file stays as it is', async () => {
  const { result, asked, text } = await moved([ADD]);
  expect(asked).toBe(2);
  expect(text).toBe(ADD);
  expect(result.ending).not.toBe('achieved');
});
