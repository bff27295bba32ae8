import { expect, test } from 'vitest';
import { filesRunBy } from '../../../src/languages/testing/test-runs.ts';

const runsFile = (cmd: string, path: string): boolean => filesRunBy(cmd.split(' ')).includes(path);

test('a command runs a file where an interpreter is given it, or where it is the program', () => {
  for (const cmd of ['python app.py', 'python3 -u app.py --help', 'python3.11 app.py', './app.py'])
    expect(runsFile(cmd, 'app.py'), cmd).toBe(true);
  expect(runsFile('node src/a.mjs 3', 'src/a.mjs')).toBe(true);
  expect(runsFile('python -m pkg.tool', 'pkg/tool.py')).toBe(true);
  const others = ['git add app.py', 'rm app.py', 'cat app.py', 'python other.py app.py', 'python'];
  for (const cmd of others) expect(runsFile(cmd, 'app.py'), cmd).toBe(false);
});
