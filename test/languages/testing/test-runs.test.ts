import { expect, test } from 'vitest';
import { runsFile } from '../../../src/languages/testing/test-runs.ts';

test('a command runs a file where an interpreter is given it, or where it is the program', () => {
  for (const cmd of ['python app.py', 'python3 -u app.py --help', 'python3.11 app.py', './app.py'])
    expect(runsFile(cmd, 'app.py'), cmd).toBe(true);
  expect(runsFile('node src/a.mjs 3', 'src/a.mjs')).toBe(true);
  const others = ['git add app.py', 'rm app.py', 'cat app.py', 'python other.py app.py', 'python'];
  for (const cmd of others) expect(runsFile(cmd, 'app.py'), cmd).toBe(false);
});
