/** Answers that hold only functions of a file: put in their places, or taken as they are. */
import { describe, expect, it } from 'vitest';
import { spliced, withRestOfFile } from '../../../src/drivers/guided/functions-edit.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const PY = `import math

LIMIT = 3


def area(r):
    return math.pi * r


def fit(text):
    return text[:LIMIT]


print(area(2))
`;
const portOf = (text: string | null, problems: readonly string[] = []) => {
  const state = { files: { 'a.py': { problems } } };
  return { world: { readText: () => text }, state } as never;
};
const AREA = 'def area(r):\n    return math.pi * r * r\n';

describe('an answer of functions alone', () => {
  it('takes their places, and what it left out stays', () => {
    const whole = PY.replace('math.pi * r', 'math.pi * r * r');
    expect(spliced('a.py', PY, AREA)).toBe(whole);
    expect(spliced('a.py', PY, `import math\n\n\n${AREA}`)).toBe(whole);
  });

  it('may be of several functions, in any order and of other lengths', () => {
    const answer =
      'def area(r):\n    side = r\n    return side * side\n\n\ndef fit(text):\n    return text\n';
    const before = `${PY}\n\ndef last():\n    return 1\n`;
    const whole = before
      .replace('    return math.pi * r\n', '    side = r\n    return side * side\n')
      .replace('text[:LIMIT]', 'text');
    expect(spliced('a.py', before, answer)).toBe(whole);
  });

  it('is one in JavaScript too', () => {
    const before =
      'function one() {\n  return 1;\n}\n\nfunction two() {\n  return 1;\n}\n\nmodule.exports = { one, two };\n';
    const answer = 'function two() {\n  return 2;\n}\n';
    expect(spliced('a.js', before, answer)).toBe(
      before.replace('two() {\n  return 1', 'two() {\n  return 2'),
    );
  });

  it('stays exported, also where no line of the file is blank', () => {
    const before =
      'export function one() {\n  return 1;\n}\nexport const two = 2;\nexport function three() {\n  return 1;\n}\n';
    const answer = 'function three() {\n  return 3;\n}\n\nfunction one() {\n  return 0;\n}\n';
    expect(spliced('a.mjs', before, answer)).toBe(
      'export function one() {\n  return 0;\n}\nexport const two = 2;\nexport function three() {\n  return 3;\n}\n',
    );
  });

  it.each([
    ['leaves nothing out', `LIMIT = 3\n${AREA}\n\ndef fit(text):\n    return text\n`],
    ['brings a function that is not there', `${AREA}\n\ndef other():\n    return 1\n`],
    ['brings a line that is not there', `from parts import fit\n\n\n${AREA}`],
    ['brings no function', 'print("hello")\n'],
  ])('is taken as it is where it %s', (_, answer) => {
    expect(spliced('a.py', PY, answer)).toBeNull();
  });

  it('is taken as it is for a text, and where there is no file yet', () => {
    expect(spliced('notes.md', '# A\n\ndef a(): ...\n', 'def a(): ...\n')).toBeNull();
    const call = { id: '1', name: 'write_file', args: { path: 'a.py', content: AREA } };
    expect(withRestOfFile(call, portOf(null))).toBe(call);
  });

  it('is taken as it is where the file has a fault: what is left out may be that', () => {
    const call = { id: '1', name: 'write_file', args: { path: 'a.py', content: AREA } };
    expect(withRestOfFile(call, portOf(PY))).not.toBe(call);
    expect(withRestOfFile(call, portOf(PY, ['line 1: does not parse']))).toBe(call);
  });

  it('leaves the marks of Windows to who writes the file', () => {
    const port = portOf(`\uFEFF${PY.replaceAll('\n', '\r\n')}`);
    const call = { id: '1', name: 'write_file', args: { path: 'a.py', content: AREA } };
    expect(withRestOfFile(call, port).args.content).toBe(
      PY.replace('math.pi * r', 'math.pi * r * r'),
    );
  });

  it('is what a run writes, where a model that is led was asked for the whole file', async () => {
    const [one, two] = ['one', 'two'].map(
      (name) => `export function ${name}() {\n  return 1;\n}\n`,
    );
    const answer = 'function two() {\n  return 2;\n}\n';
    const world = testWorld();
    world.write('calc.mjs', `${one}\n${two}`);
    const model = diligentModel({
      subtasks: [{ action: 'edit_file', file: 'calc.mjs', purpose: 'two gives 2' }],
      verify: { cmd: 'node calc.mjs' },
      files: { 'calc.mjs': [answer] },
    });
    const options = {
      goal: 'two() in calc.mjs is to give 2',
      toolMode: 'json',
      keep: true,
    } as const;
    await runIn(world, scriptedProvider(model), options);
    expect(world.read('calc.mjs')).toBe(`${one}\n${two?.replace('return 1', 'return 2')}`);
  });
});
