/** A failing file that came back as it was is asked for anew: only the function that failed. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { diligentModel, wantedBy } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type ScriptedProgram, testWorld } from '../support/test-machine.ts';

const GOAL = 'shiftLeft in lists.mjs is wrong: node check.mjs says so. Mend it.';
const WRONG = `// Lists.
export function first(items) {
  return items[0];
}

export function shiftLeft(items, count) {
  return items.slice(-count);
}
`;
const RIGHT = 'export function shiftLeft(items, count) {\n  return items.slice(count);\n}';
const FENCE = '```';

const check: ScriptedProgram = (_args, _stdin, read) =>
  read('lists.mjs')?.includes('slice(count)')
    ? { output: 'all right\n', exitCode: 0 }
    : { output: 'Error: shiftLeft([1, 2, 3], 1) gives 3, not 2,3\n', exitCode: 1 };

const copying = diligentModel({
  subtasks: [{ action: 'edit_file', file: 'lists.mjs', purpose: 'mends shiftLeft' }],
  verify: { cmd: 'node check.mjs', prints: 'all right' },
  files: { 'lists.mjs': [WRONG] },
});

const mended = async (answers: readonly string[]) => {
  const asked: string[] = [];
  const script: Script = (request, n) => {
    const question = request.messages.at(-1)?.content ?? '';
    const isAnew = request.messages.some(({ content }) =>
      content.includes('this function is wrong'),
    );
    if (wantedBy(request) !== 'content' || !isAnew) return copying(request, n);
    asked.push(question);
    return `${FENCE}js\n${answers[Math.min(asked.length, answers.length) - 1]}\n${FENCE}`;
  };
  const world = testWorld(check);
  world.write('lists.mjs', WRONG);
  world.write('check.mjs', 'import { shiftLeft } from "./lists.mjs";\n');
  const { result } = await runIn(world, scriptedProvider(script), {
    goal: GOAL,
    toolMode: 'json',
    keep: true,
  });
  return { asked, result, text: world.read('lists.mjs') };
};

describe('a function that failed', () => {
  it('is asked for without being shown, and nothing else of the file changes', async () => {
    const { asked, text, result } = await mended([RIGHT]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(
      'In lists.mjs this function is wrong: export function shiftLeft(items, count) {',
    );
    expect(asked[0]).not.toContain('items.slice(-count)');
    expect(text).toBe(WRONG.replace(/export function shiftLeft[\s\S]*?\n\}/, RIGHT));
    expect(result.state.proof?.passed).toBe(true);
  });

  it('is taken out of an answer that brings the whole file', async () => {
    const whole = WRONG.replace('items[0]', 'items.at(0)').replace('slice(-count)', 'slice(count)');
    const { text } = await mended([whole]);
    expect(text).toBe(WRONG.replace('slice(-count)', 'slice(count)'));
  });

  it.each([
    ['came back', WRONG],
    ['is not in the answer', 'export const other = 1;'],
  ])('that %s leaves the file as it was', async (_, answer) => {
    const { asked, text, result } = await mended([answer]);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(12);
    expect(text).toBe(WRONG);
    expect(result.ending).not.toBe('achieved');
  });
});

describe('a file of the run that came back as it was', () => {
  const BAD = 'console.log(await Promise.reject("no"));\n';
  const GOOD = 'console.log("hello");\n';
  const hello: ScriptedProgram = (_args, _stdin, read) =>
    read('hello.mjs') === GOOD
      ? { output: 'hello\n', exitCode: 0 }
      : { output: 'no\n', exitCode: 1 };

  it('is asked for out of view, warmer, and in other words', async () => {
    const repairs: ModelRequest[] = [];
    const copying = diligentModel({
      subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'says hello' }],
      verify: { cmd: 'node hello.mjs' },
      files: { 'hello.mjs': [BAD] },
    });
    const script: Script = (request, n) => {
      const question = request.messages.at(-1)?.content ?? '';
      const isRepair = wantedBy(request) === 'content' && question.includes('This command failed');
      if (!isRepair) return copying(request, n);
      repairs.push(request);
      return `${FENCE}js\n${repairs.length < 2 ? BAD : GOOD}${FENCE}`;
    };
    const world = testWorld(hello);
    const model = scriptedProvider(script);
    await runIn(world, model, { goal: 'Create hello.mjs that says hello', toolMode: 'json' });
    const said = repairs.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(said[0]).toContain('Promise.reject');
    expect(said[0]).toContain('Write the whole content of hello.mjs, corrected.');
    expect(said[1]).not.toContain('Promise.reject');
    expect(said[1]).toContain('Write the whole content of hello.mjs anew, in another way.');
    expect(repairs.map(({ temperature }) => temperature)).toEqual([0.2, 0.8]);
    expect(world.read('hello.mjs')).toBe(GOOD);
  });
});
