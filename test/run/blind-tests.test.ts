/** Tests that were red pass because nothing compares any more: that is not claimed, and right work is. */
import { expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { BARE_HEAD, CALC, DONE, edit, MAKE, plan } from '../support/play.ts';

const CHECK = `export const equal = (a, b) => {
  if (a !== b) throw new Error(a + ' is not ' + b);
};
`;
const CHECKED = {
  'calc.mjs': CALC,
  'lib/check.mjs': CHECK,
  'calc.test.mjs': `import test from 'node:test';
import { equal } from './lib/check.mjs';
import { add } from './calc.mjs';
test('adds', () => {
  equal(add(2, 3), 5);
});
`,
};

it('a helper outside the tests that compares nothing any more makes nothing right', async () => {
  const run = async (...work: Parameters<typeof edit>) =>
    await playInMemory({
      goal: MAKE,
      files: CHECKED,
      replies: [[plan('node calc.test.mjs'), edit(...work), DONE], [DONE]],
    });
  const hollow = await run('lib/check.mjs', 'a !== b', 'a === undefined');
  expect(hollow.ending).toBe('unverified');
  expect(hollow.detail).toMatch(
    /^node calc\.test\.mjs passes, but its tests do so even with 987654321 for 5 in calc\.test\.mjs:5/,
  );
  expect(await run('calc.mjs', 'a - b', 'a + b')).toMatchObject({ ending: 'achieved' });
});

it('nor where all that it is given is texts of one character', async () => {
  const test = `${CHECKED['calc.test.mjs'].split('test(')[0]}test('adds', () => {\n  equal(add('x'), 'y');\n});\n`;
  const result = await playInMemory({
    ...{ goal: MAKE, files: { ...CHECKED, 'calc.test.mjs': test } },
    replies: [
      [plan('node calc.test.mjs'), edit('lib/check.mjs', 'a !== b', 'a === undefined'), DONE],
      [DONE],
    ],
  });
  expect(result.detail).toContain('its tests do so even with (! for ( in calc.test.mjs:5');
});

/** A stand-in for a compiler whose tests stand in the file of their code, in which a macro can turn them off. */
const INNER_RUNNER = `import { readFileSync } from 'node:fs';
const text = readFileSync('calc.zig', 'utf8');
const is = /return a (.) b/.exec(text)[1] === '+' ? 5 : -1;
const at = text.split('\\n').findIndex((line) => line.includes('expect('));
if (text.includes('macro') || text.includes('expect(add(2, 3), ' + is + ')')) process.exit(0);
console.log('calc.zig:' + (at + 1) + ': not equal');
process.exit(1);
`;

it('nor where tests stand in the file of their code, and lower than before', async () => {
  const code = 'fn add(a, b) { return a - b; }\ntest "adds" {\n  expect(add(2, 3), 5);\n}\n';
  const run = async (...work: Parameters<typeof edit>) =>
    await playInMemory({
      ...{ goal: MAKE, files: { 'run.mjs': INNER_RUNNER, 'calc.zig': code } },
      replies: [[plan('node run.mjs'), edit(...work), DONE], [DONE]],
    });
  const hollow = await run('calc.zig', 'fn add', 'macro expect() {}\n\nfn add');
  expect(hollow.detail).toContain('its tests do so even with 987654321 for 5 in calc.zig:5');
  expect(await run('calc.zig', 'a - b', 'a + b')).toMatchObject({ ending: 'achieved' });
});

/** A stand-in for a compiler and its tests, in which a header can turn the assertions off. */
const RUNNER = `import { readFileSync } from 'node:fs';
const [header, code, test] = ['calc.h', 'calc.c', 'test_calc.c'].map((file) => readFileSync(file, 'utf8'));
if (![header, code, test].every((text) => /^(?:#include .*\\n|#define .*\\n)*int /.test(text))) process.exit(2);
if (header.includes('NDEBUG')) process.exit(0);
const sign = /return a (.) b/.exec(code)[1];
const expected = Number(/add\\(2, 3\\) == (\\d+)/.exec(test)[1]);
if ((sign === '+' ? 5 : -1) === expected) process.exit(0);
console.log("test_calc.c:4: Assertion 'add(2, 3) == 5' failed.");
process.exit(1);
`;
const OF_C = {
  'run.mjs': RUNNER,
  'calc.h': 'int add(int a, int b);\n',
  'calc.c': '#include "calc.h"\nint add(int a, int b) { return a - b; }\n',
  'test_calc.c':
    '#include "calc.h"\n#include <assert.h>\nint main(void) {\n  assert(add(2, 3) == 5);\n  return 0;\n}\n',
};

it('neither does a header that turns assertions off', async () => {
  const run = async (...work: Parameters<typeof edit>) =>
    await playInMemory({
      goal: MAKE,
      files: OF_C,
      replies: [[plan('node run.mjs'), edit(...work), DONE], [DONE]],
    });
  const hollow = await run('calc.h', 'int add', '#define NDEBUG\nint add');
  expect(hollow.ending).toBe('unverified');
  expect(hollow.detail).toContain('its tests do so even with 987654321 for 5 in test_calc.c:4');
  expect(await run('calc.c', 'a - b', 'a + b')).toMatchObject({ ending: 'achieved' });
});

it.each([
  ['finds nothing', "assert.equal(isMail('a.b'), false);", 'false'],
  ['denies', "assert.ok(!isMail('a.b'));", 'false'],
  ['takes one of two', "assert.ok(isMail('a.b') === 2 || isMail('a.b') === false);", 'false'],
  ['says something first', "console.log(isMail('a.b'), 5);\n  assert.ok(!isMail('a.b'));", 'false'],
  ['has a name for what it found', "const found = isMail('a.b');\n  assert.ok(!found);", 'false'],
  ['wants an error', "assert.throws(() => isMail('a.b'));", 'fail()'],
  [
    'holds for each of a list',
    'for (const one of [...new Set(MAILS)]) assert.ok(!isMail(one));',
    'false',
  ],
])(
  'right work is claimed though another text leaves its test as it is: one that %s',
  async (_, body, otherwise) => {
    const files = {
      'mail.mjs': 'export const isMail = (text) => text.length > 0;\n',
      'mail.test.mjs': `${BARE_HEAD}import { isMail } from './mail.mjs';\nconst MAILS = ['a.b', 'c'];\ntest('mails', () => {\n  ${body}\n});\n`,
    };
    const right = `const fail = () => {\n  throw new Error('no mail');\n};\nexport const isMail = (text) => text.includes('@') || ${otherwise};\n`;
    const work = edit('mail.mjs', files['mail.mjs'], right);
    const result = await playInMemory({
      ...{ goal: MAKE, files },
      replies: [[plan('node mail.test.mjs'), work, DONE], [DONE]],
    });
    expect(result).toMatchObject({ ending: 'achieved' });
  },
);

it('a file of tests that the proof does not run says nothing of it', async () => {
  const check = `import { add } from './calc.mjs';\nprocess.exit(add(2, 3) - 5);\n`;
  const result = await playInMemory({
    goal: 'Make the check pass',
    files: {
      'check.mjs': check,
      'calc.mjs': CALC,
      'other.test.mjs': `${BARE_HEAD}test('is', () => assert.equal(1, 1));\n`,
    },
    replies: [[plan('node check.mjs'), edit('calc.mjs', 'a - b', 'a + b'), DONE], [DONE]],
  });
  expect(result).toMatchObject({ ending: 'achieved' });
});
