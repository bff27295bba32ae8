/** What tests name by its path among the installed packages is in the copy, where the copy fails without it. */
import { expect, it } from 'vitest';
import { ADD, CALC, DONE, edit, HEAD, MAKE, MEND, plan, play, write } from '../support/play.ts';

const RUNNER = 'node_modules/runner';
const START = `import(require('node:url').pathToFileURL(require('node:path').resolve(process.argv[2])));\n`;
const PACKAGE = {
  [`${RUNNER}/package.json`]: '{"name":"runner","type":"commonjs","main":"main.js"}',
  [`${RUNNER}/main.js`]: 'exports.sum = 5;\n',
  [`${RUNNER}/bin/run.js`]: START,
};
const READS = `import { readFileSync } from 'node:fs';\nreadFileSync('./${RUNNER}/package.json');\n`;
const ADDS = "import { add } from './calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n";
const inPackage = (files: { readonly [path: string]: string }) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/a/${path}`, text]));

it('a runner that is started by its path shows right work, also of tests that were red', async () => {
  const files = { ...PACKAGE, 'calc.mjs': CALC, 'calc.test.mjs': HEAD + ADDS };
  const proof = `node ${RUNNER}/bin/run.js calc.test.mjs`;
  const result = await play({ goal: MAKE, files, replies: [[plan(proof), MEND, DONE]] });
  expect(result).toMatchObject({ ending: 'achieved' });
});

it.each([
  ['the only folder', '', PACKAGE],
  ['a package of a workspace', 'packages/a/', inPackage(PACKAGE)],
])('tests of the run that use what is installed in %s show right work', async (_, at, files) => {
  const uses = at === '' ? READS : "import runner from 'runner';\nassert.equal(runner.sum, 5);\n";
  const replies = [
    [
      plan(`node ${at}calc.test.mjs`),
      write(`${at}calc.mjs`, 'export const add = (a, b) => a + b;\n'),
      write(`${at}calc.test.mjs`, HEAD + uses + ADDS),
      DONE,
    ],
  ];
  const result = await play({ goal: ADD, files, replies });
  expect(result).toMatchObject({ ending: 'achieved' });
  expect(result.detail).toContain(`fail with ${at}calc.mjs emptied`);
});

it('a helper that compares nothing any more makes no test right that reads an installed file', async () => {
  const files = {
    ...PACKAGE,
    'calc.mjs': CALC,
    'same.mjs': "import assert from 'node:assert/strict';\nexport const same = assert.equal;\n",
    'calc.test.mjs': `${HEAD}${READS}import { same } from './same.mjs';\n${ADDS.replace('assert.equal', 'same')}`,
  };
  const blind = edit('same.mjs', 'assert.equal', '(one) => assert.ok(one)');
  const replies = [[plan('node calc.test.mjs'), blind, DONE], [DONE]];
  const result = await play({ goal: MAKE, files, replies });
  expect(result).toMatchObject({ ending: 'unverified' });
  expect(result.detail).toContain('do so even with 987654321 for 5 in calc.test.mjs');
});
