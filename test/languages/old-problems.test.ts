/** A look at a file names what this run brought in, and never what somebody else left there. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { examineFile } from '../../src/languages/files/examine-file.ts';
import { IMPORTED, ORDINARY_FILES } from '../support/ordinary-files.ts';
import { folderOf, PYTHON } from './inspection-support.ts';

async function problemsOf(path: string, text: string, before: string | null) {
  const { deps, dispose } = folderOf({ ...IMPORTED, [path]: text });
  onTestFinished(dispose);
  return (await examineFile(path, deps, before)).problems;
}

describe.skipIf(PYTHON === null)('a look at a file that was there', () => {
  it.each(ORDINARY_FILES)('says nothing of %s', async (_what, path, before, [from, to]) => {
    expect(await problemsOf(path, before.replace(from, to), before)).toEqual([]);
  });

  it('names a text that cannot be read any more, wherever its checker stumbles', async () => {
    const before = 'export const add = (a, b) => {\n  return a + b;\n};\n';
    const [problem] = await problemsOf('calc.mjs', before.replace('{', '{ ('), before);
    expect(problem).toMatch(/does not parse/);
  });

  it('holds nothing against a file that could not be read before, and a new fault of it is one', async () => {
    const before = 'def on_start(app):\n    pass\n\n\ndef add(a, b:\n    return a + b\n';
    expect(await problemsOf('calc.py', `import os\n${before}`, before)).toEqual([]);
    expect(await problemsOf('calc.py', `import (\n${before}`, before)).toEqual([
      expect.stringMatching(/does not parse/),
    ]);
  });
});
