/** A look at a file names what this run brought in, and never what somebody else left there. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { examineFile } from '../../src/languages/files/examine-file.ts';
import { IMPORTED, ORDINARY_FILES } from '../support/ordinary-files.ts';
import { folderOf, PYTHON } from './look-support.ts';

/** Of them those that a look has something against. */
const WITH_PROBLEMS = ORDINARY_FILES.filter(([what]) => !/protocol|guarded|input/.test(what));
async function problemsOf(path: string, text: string, before: string | null) {
  const { deps, dispose } = folderOf({ ...IMPORTED, [path]: text });
  onTestFinished(dispose);
  return (await examineFile(path, deps, before)).problems;
}

describe.skipIf(PYTHON === null)('a look at a file that was there', () => {
  it.each(ORDINARY_FILES)('says nothing of %s', async (_what, path, before, [from, to]) => {
    expect(await problemsOf(path, before.replace(from, to), before)).toEqual([]);
  });

  it.each(WITH_PROBLEMS)('names %s where the run brought it in', async (_what, path, text) => {
    expect(await problemsOf(path, text, null)).not.toEqual([]);
    expect(await problemsOf(path, text, '')).not.toEqual([]);
  });

  it('names a second one beside one that was there', async () => {
    const before = '# TODO: support metric units\n\n\ndef on_start(app):\n    pass\n';
    const after = `${before}\n\ndef on_stop(app):\n    pass\n\n\n# TODO: write add\n`;
    const problems = await problemsOf('calc.py', after, before);
    expect(problems).toEqual([
      expect.stringContaining('TODO: write add'),
      expect.stringContaining('on_stop'),
    ]);
  });

  it('names a body that the run took out of a function that was there', async () => {
    const before = 'def add(a, b):\n    return a + b\n';
    expect(await problemsOf('calc.py', 'def add(a, b):\n    pass\n', before)).toEqual([
      expect.stringContaining('add'),
    ]);
  });

  it('names a text that cannot be read any more, wherever its checker stumbles', async () => {
    const before = 'export const add = (a, b) => {\n  return a + b;\n};\n';
    const [problem] = await problemsOf('calc.mjs', before.replace('{', '{ ('), before);
    expect(problem).toMatch(/does not parse/);
  });

  it('holds nothing against old lines of a file that could not be read before', async () => {
    const before = 'def on_start(app):\n    pass\n\n\ndef add(a, b:\n    return a + b\n';
    expect(await problemsOf('calc.py', before.replace('b:', 'b):'), before)).toEqual([]);
  });
});
