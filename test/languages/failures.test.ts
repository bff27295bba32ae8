/** Outputs as the runners wrote them on a machine; paths apart. */
import { describe, expect, it } from 'vitest';
import { isSecretFile } from '../../src/languages/files/secret-files.ts';
import { isManifest } from '../../src/languages/languages.ts';
import { failuresIn, usersTestRun } from '../../src/languages/testing/given-tests.ts';

const PYTEST = `FFF                                                                      [100%]
=================================== FAILURES ===================================
___________________________________ test_add ___________________________________

    def test_add():
>       assert add(1, 2) == 3
E       assert -1 == 3
E        +  where -1 = add(1, 2)

test_calc.py:6: AssertionError
=========================== short test summary info ============================
FAILED test_calc.py::test_add - assert -1 == 3
FAILED test_calc.py::test_boom - ValueError: what a long message it is what a...
FAILED test_calc.py::TestCalc::test_more[a b] - AssertionError: 0 != 4
3 failed in 0.07s
`;

const PYTEST_BROKEN = `
==================================== ERRORS ====================================
_______________________ ERROR collecting test_broken.py ________________________
ImportError while importing test module '/ws/test_broken.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
test_broken.py:1: in <module>
    import nothere
E   ModuleNotFoundError: No module named 'nothere'
=========================== short test summary info ============================
ERROR test_broken.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.17s
`;

const UNITTEST = `EF
======================================================================
ERROR: test_broken (unittest.loader._FailedTest.test_broken)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_broken
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/loader.py", line 362, in _get_module_from_name
    __import__(name)
  File "/ws/test_broken.py", line 1, in <module>
    import nothere
ModuleNotFoundError: No module named 'nothere'


======================================================================
FAIL: test_more (test_calc.TestCalc.test_more)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/ws/test_calc.py", line 13, in test_more
    self.assertEqual(add(2, 2), 4)
AssertionError: 0 != 4

----------------------------------------------------------------------
Ran 2 tests in 0.000s

FAILED (failures=1, errors=1)
`;

const TAP_DEEP = `TAP version 13
# Subtest: clip
not ok 1 - clip
  ---
  duration_ms: 2.356918
  location: '/ws/tools.test.js:2:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
    + actual - expected
    
    + 'light..'
    - 'lig..'
          ^
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 'lig..'
  actual: 'light..'
  operator: 'deepStrictEqual'
  stack: |-
    TestContext.<anonymous> (/ws/tools.test.js:2:25)
  ...
# Subtest: merge
not ok 2 - merge
  ---
  duration_ms: 1.101579
  location: '/ws/tools.test.js:3:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected:
    ash: 11
    elm: 1
  actual:
    ash: 8
    elm: 1
  operator: 'deepStrictEqual'
  ...
# Subtest: boom
not ok 3 - boom
  ---
  location: '/ws/tools.test.js:4:1'
  failureType: 'testCodeFailure'
  error: "Cannot read properties of null (reading 'x')"
  code: 'ERR_TEST_FAILURE'
  ...
`;

const TAP = `TAP version 13
# Subtest: adds numbers
not ok 1 - adds numbers
  ---
  duration_ms: 2.227506
  location: '/ws/a.test.mjs:3:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    
    3 !== 4
    
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  stack: |-
    TestContext.<anonymous> (file:///ws/a.test.mjs:3:37)
  ...
# Subtest: group
    # Subtest: inner
    not ok 1 - inner
      ---
      duration_ms: 0.170884
      location: '/ws/a.test.mjs:4:38'
      failureType: 'testCodeFailure'
      error: 'x is not a function'
      code: 'ERR_TEST_FAILURE'
      ...
    1..1
not ok 2 - group
  ---
  duration_ms: 0.504992
  location: '/ws/a.test.mjs:4:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# Subtest: /ws/b.test.mjs
not ok 2 - /ws/b.test.mjs
  ---
  duration_ms: 76.152445
  location: '/ws/b.test.mjs:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  signal: ~
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..4
# tests 5
# pass 1
# fail 4
`;

const TAP_NOT_LOADED = `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1.2
  ...
# file:///ws/b.test.mjs:1
# import { add } from './add.js';
#          ^^^
# SyntaxError: Named export 'add' not found. The requested module './add.js' is a CommonJS module
#     at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)
# Node.js v20.20.2
# Subtest: /ws/b.test.mjs
not ok 2 - /ws/b.test.mjs
  ---
  location: '/ws/b.test.mjs:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
# file:///ws/add.js:3
# boom();
# ^
# ReferenceError: boom is not defined
# Subtest: /ws/c.test.mjs
not ok 3 - /ws/c.test.mjs
  ---
  location: '/ws/c.test.mjs:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  error: 'test failed'
  ...
1..3
`;

const SPEC_NOT_LOADED = `file:///ws/a.test.mjs:2
test('a', () => {});
^

ReferenceError: test is not defined
    at file:///ws/a.test.mjs:2:1
✖ /ws/a.test.mjs (70.1ms)
file:///ws/b.test.mjs:1
import { add } from './add.mjs';
         ^^^
SyntaxError: The requested module './add.mjs' does not provide an export named 'add'
✖ /ws/b.test.mjs (71.2ms)
ℹ tests 2
ℹ fail 2

✖ failing tests:

test at a.test.mjs:1:1
✖ /ws/a.test.mjs (70.1ms)
  'test failed'

test at b.test.mjs:1:1
✖ /ws/b.test.mjs (71.2ms)
  'test failed'
`;

const SPEC = `✖ adds numbers (1.937283ms)
▶ group
  ✖ inner (0.162953ms)
✖ group (0.504131ms)
ℹ tests 5
ℹ fail 4

✖ failing tests:

test at a.test.mjs:3:1
✖ adds numbers (1.937283ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  3 !== 4
  
      at TestContext.<anonymous> (file:///ws/a.test.mjs:3:37)
      at Test.run (node:internal/test_runner/test:796:25) {
    actual: 3,
    expected: 4
  }

test at a.test.mjs:4:38
✖ inner (0.162953ms)
  TypeError [Error]: x is not a function
      at TestContext.<anonymous> (file:///ws/a.test.mjs:4:66)

test at b.test.mjs:1:1
✖ /ws/b.test.mjs (124.693854ms)
  'test failed'
`;

const GO = `--- FAIL: TestAdd (0.00s)
    calc_test.go:8: got -1, want 3
--- FAIL: TestPanics (0.00s)
FAIL
FAIL	example.com/calc	0.002s
`;

const GO_BROKEN = `# example.com/calc
./calc.go:4:2: undefined: nothere
FAIL	example.com/calc [build failed]
`;

it('the counts that unittest ends with are no test', () => {
  const one = UNITTEST.replace('(failures=1, errors=1)', '(failures=2)');
  expect(failuresIn(one)).toEqual(failuresIn(UNITTEST));
});

it('pytest tells the failures in their sections where settings leave its summary out', () => {
  const [one, broken] = [PYTEST, PYTEST_BROKEN].map((text) =>
    text.replace(/^=+ short[\s\S]*?(?=^[!\d])/m, ''),
  );
  expect(failuresIn(one ?? '')).toEqual(failuresIn(PYTEST).slice(0, 1));
  expect(failuresIn(broken ?? '')).toEqual(failuresIn(PYTEST_BROKEN));
});

describe('the failures of a test run, a line each', () => {
  it.each([
    [
      'pytest',
      PYTEST,
      [
        'test_calc.py, test_add: assert -1 == 3',
        'test_calc.py, test_boom: ValueError: what a long message it is what a...',
        'test_calc.py, TestCalc.test_more[a b]: AssertionError: 0 != 4',
      ],
    ],
    [
      'pytest, of a file that cannot be loaded',
      PYTEST_BROKEN,
      ["test_broken.py: ModuleNotFoundError: No module named 'nothere'"],
    ],
    [
      'unittest',
      UNITTEST,
      [
        "test_broken.py, test_broken: ModuleNotFoundError: No module named 'nothere'",
        'test_calc.py, test_more: AssertionError: 0 != 4',
      ],
    ],
    [
      'node, as TAP',
      TAP,
      [
        'a.test.mjs, adds numbers: Expected values to be strictly equal: 3 !== 4',
        'a.test.mjs, inner: x is not a function',
        'b.test.mjs: test failed',
      ],
    ],
    [
      'node, of values that differ within',
      TAP_DEEP,
      [
        "tools.test.js, clip: is 'light..', not 'lig..'",
        'tools.test.js, merge: is ash: 8 elm: 1, not ash: 11 elm: 1',
        "tools.test.js, boom: Cannot read properties of null (reading 'x')",
      ],
    ],
    [
      'node, as spec',
      SPEC,
      [
        'a.test.mjs, adds numbers: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 3 !== 4',
        'a.test.mjs, inner: TypeError [Error]: x is not a function',
        "b.test.mjs: 'test failed'",
      ],
    ],
    [
      'node, of files that cannot be loaded, as TAP',
      TAP_NOT_LOADED,
      [
        "b.test.mjs: SyntaxError: Named export 'add' not found. The requested module './add.js' is a CommonJS module",
        'c.test.mjs: ReferenceError: boom is not defined',
      ],
    ],
    [
      'node, of files that cannot be loaded, as spec',
      SPEC_NOT_LOADED,
      [
        'a.test.mjs: ReferenceError: test is not defined',
        "b.test.mjs: SyntaxError: The requested module './add.mjs' does not provide an export named 'add'",
      ],
    ],
    ['go', GO, ['calc_test.go, TestAdd: got -1, want 3', 'TestPanics']],
    ['go, of what does not compile', GO_BROKEN, ['calc.go: undefined: nothere']],
    ['no runner', 'Error: something\n', []],
    ['a run without failures', '# tests 3\n# pass 3\n', []],
  ])('of %s', (_runner, output, lines) => {
    expect(failuresIn(output)).toEqual(lines);
    expect(failuresIn(output.replaceAll('\n', '\r\n'))).toEqual(lines);
  });
});

describe('the tests that are there', () => {
  const all = new Set(['python', 'pytest', 'node', 'go']);

  it('are run by the language that has them and can run them', () => {
    expect(usersTestRun(['a.py', 'test_a.py'], all)?.cmd).toBe('python -m pytest -q');
    expect(usersTestRun(['test_a.py'], new Set(['python']))?.cmd).toBe('python -m unittest');
    expect(usersTestRun(['a.test.mjs'], all)?.cmd).toBe('node --test');
    expect(usersTestRun(['a_test.go', 'go.mod'], all)?.cmd).toBe('go test ./...');
  });

  it('are none where nothing here can run them, or there is no test', () => {
    expect(usersTestRun(['test_a.py'], new Set(['node']))).toBeNull();
    expect(usersTestRun(['a.py', 'notes.txt', 'tests/data.csv'], all)).toBeNull();
  });
});

it('a manifest is known by any language', () => {
  const files = [
    'pyproject.toml',
    'requirements-dev.txt',
    'package.json',
    'sub/go.mod',
    'setup.cfg',
  ];
  for (const file of files) expect(isManifest(file), file).toBe(true);
  for (const file of ['data.json', 'notes.txt', 'main.py'])
    expect(isManifest(file), file).toBe(false);
});

it('files that hold keys are known by their names, samples and code are none', () => {
  const secret =
    '.env .env.local conf/.env.production .netrc .npmrc id_rsa server.pem a.key secrets.yaml .git/config .aws/credentials';
  const open = '.env.example .env.sample secrets.py keys.md environment.ts id_rsa_notes.txt key.js';
  for (const file of secret.split(' ')) expect(isSecretFile(file), file).toBe(true);
  for (const file of open.split(' ')) expect(isSecretFile(file), file).toBe(false);
});
