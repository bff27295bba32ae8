/** Tests that were there and were changed: a rename as it was really played, on a small stand-in. */
import { expect, it } from 'vitest';
import { cmd, DONE, edit, HEAD, plan, play, read, write } from '../support/play.ts';

const TYPES = 'export class OldEvent {\n  path() {\n    return "/a";\n  }\n}\n';
const TEST = `${HEAD}import { OldEvent } from '../types.mjs';\nimport { place } from './_setup.mjs';\ntest('has a path', () => assert.equal(new OldEvent().path(), place));\n`;

const RENAME = {
  goal: 'Rename OldEvent to HttpEvent, and keep OldEvent as an alias that is still exported',
  files: {
    'types.mjs': TYPES,
    'index.mjs': "export * from './types.mjs';\n",
    'test/_setup.mjs': "// for OldEvent\nexport const place = '/a';\n",
    'test/types.test.mjs': TEST,
  },
};

const LOOK = Object.keys(RENAME.files).map((path) => read(path));

const WORK = [
  plan('node test/types.test.mjs'),
  edit('types.mjs', 'OldEvent', 'HttpEvent'),
  write(
    'index.mjs',
    "export * from './types.mjs';\nexport { HttpEvent as OldEvent } from './types.mjs';\n",
  ),
  edit('test/_setup.mjs', 'OldEvent', 'HttpEvent'),
  edit('test/types.test.mjs', '{ OldEvent }', '{ HttpEvent }'),
  edit('test/types.test.mjs', 'new OldEvent', 'new HttpEvent'),
  DONE,
];

it('a test whose earlier form fails with the new code is told to the model with what is wrong, and the work is mended', async () => {
  const alias = edit('types.mjs', '  }\n}\n', '  }\n}\nexport { HttpEvent as OldEvent };\n');
  const result = await play({ ...RENAME, replies: [LOOK, WORK, [alias, DONE], [DONE]] });
  expect(result.state.free.doubtTold?.words).toMatch(
    /^test\/types\.test\.mjs was there before the run, which changed it: in its earlier form it fails with the new code: .*export named 'OldEvent'/,
  );
  expect(result).toMatchObject({ ending: 'achieved' });
});

it('a rename with nothing left of the old name is not claimed, and no alias is asked for', async () => {
  const [, types, , ...tests] = WORK;
  let requests = 0;
  const result = await play({
    ...{ ...RENAME, goal: 'Rename OldEvent to HttpEvent' },
    replies: [
      LOOK,
      [plan('node test/types.test.mjs'), ...[types, ...tests].flatMap((one) => one ?? [])],
    ],
    hears: () => (requests += 1),
  });
  expect({ ending: result.ending, requests }).toEqual({ ending: 'unverified', requests: 2 });
  expect(result.detail).toMatch(
    /fail with .*; but .*types\.test\.mjs.* pass only with HttpEvent for OldEvent$/,
  );
});

it('a file that was there for tests and held none yet is as good as a new one', async () => {
  const tests = [
    'from unittest import TestCase',
    '',
    'from .models import add',
    '',
    '',
    'class Adds(TestCase):',
    '    def test_adds(self):',
    '        self.assertEqual(add(2, 3), 5)',
    '',
  ].join('\n');
  const proof = 'python -m unittest polls.tests';
  const result = await play({
    goal: 'Mend add, with tests',
    files: {
      'polls/__init__.py': '',
      'polls/models.py': 'def add(a, b):\n    return a - b\n',
      'polls/tests.py':
        'from unittest import TestCase\n\n# Create your tests here (all of them).\n',
    },
    replies: [
      [read('polls/tests.py'), read('polls/models.py')],
      [plan(proof), write('polls/tests.py', tests), cmd(proof)],
      [edit('polls/models.py', 'a - b', 'a + b'), DONE],
    ],
  });
  expect(result).toMatchObject({ ending: 'achieved' });
});
