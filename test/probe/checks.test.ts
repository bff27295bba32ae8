import { describe, expect, it } from 'vitest';
import {
  type CheckDeps,
  judgeCommand,
  printsText,
  runCheck,
  runProof,
} from '../../src/probe/checks.ts';
import { printsExactly } from '../../src/probe/command-verdict.ts';
import { fc } from '../support/dice.ts';

const judged = (output: string, given: { exitCode?: number | null; prints?: string } = {}) =>
  judgeCommand({ exitCode: 0, output, ...given });

describe('A command passes', () => {
  const passing: readonly (readonly [string, string, object])[] = [
    ['when it ended with 0', '', {}],
    ['when it prints what is wanted', 'Hello, World!\n', { prints: 'hello world' }],
    ['without regard to case and white space', 'HELLO\n   world', { prints: 'Hello World' }],
    ['when words are joined', 'HelloWorld', { prints: 'hello world' }],
    ['when it printed something as proof', 'You win!', {}],
    ['when pytest passed', '..  [100%]\n2 passed in 0.01s', {}],
    ['when some tests were skipped', '2 passed, 1 skipped in 0.01s', {}],
    ['when ten passed', '10 passed in 0.1s', {}],
    ['as proof when it prints nothing: its exit code says it', ' \n', {}],
    ['when it prints a figure', 'The sum is 42.', { prints: '42' }],
    ['when it prints signs only', '* * *\n', { prints: '***' }],
    ['with typographic apostrophes', 'It’s a tie', { prints: "it's a tie" }],
  ];
  for (const [name, output, given] of passing)
    it(name, () => expect(judged(output, given)).toMatchObject({ passed: true }));
});

describe('A command fails', () => {
  const failing: readonly (readonly [string, string, object, RegExp])[] = [
    ['with another exit code', 'x', { exitCode: 1 }, /exit code 1/],
    ['when it never ended', 'x', { exitCode: null }, /its end/],
    ['when it should print and prints nothing', '', { prints: 'a' }, /printed nothing/],
    ['when it prints something else', 'Goodbye', { prints: 'Hello' }, /did not print "Hello"/],
    ['when only a longer figure is there', '142', { prints: '42' }, /did not print/],
    ['when the sign differs', 'result 5', { prints: '-5' }, /did not print/],
    ['when pytest found nothing', 'no tests ran in 0.00s', {}, /no tests/],
    [
      'when pytest found nothing and said so by its code',
      'no tests ran in 0.00s',
      { exitCode: 5 },
      /exit code 5/,
    ],
    ['when unittest ran nothing', 'Ran 0 tests in 0.000s\n\nOK', {}, /no tests/],
    ['when node ran nothing', '# tests 0\n# pass 0', {}, /no tests/],
    ['when nothing passed', '0 passed in 0.1s', {}, /no test passed/],
    ['when everything was skipped', '3 skipped in 0.01s', {}, /no test passed/],
  ];
  for (const [name, output, given, reason] of failing)
    it(name, () => {
      const verdict = judged(output, given);
      expect(verdict.passed).toBe(false);
      expect(verdict.reason).toMatch(reason);
    });
});

it('a text always prints itself, however it is framed', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, around) => {
      expect(printsText(`${around}\n${text}\n${around}`, text)).toBe(true);
    }),
  );
});

describe('What a program prints is whole', () => {
  it.each([
    ['Enter a: 25\n', ['Enter …: ']],
    ['Bob, your guess? 25', ['…, your guess? ']],
    ['Add a and b: 25', ['Add … and …: ', '… …', '']],
    ['数字：25', ['数字：']],
    ['Hello Bob! Number: 25', ['Hello ……! Number: ']],
  ])('apart from prompts, whatever fills them: %j', (output, prompts) =>
    expect(printsExactly(output, '25', prompts)).toBe(true),
  );
  it.each([
    ['Enter a:\n1: 25', ['Enter …: ']],
    ['Sum - 25', ['… - ']],
    ['1 2 25', ['… …']],
    ['225', ['2…']],
    ['2+3=25', ['…+…=']],
    ['Enter a: 26', ['Enter …: ']],
  ])('but for nothing else: %j', (output, prompts) =>
    expect(printsExactly(output, '25', prompts)).toBe(false),
  );
  it('in a time that follows its length', () => {
    const prompt = `${'a…'.repeat(40)}b`;
    expect(printsExactly('a'.repeat(20_000), '25', [prompt])).toBe(false);
  });
});

const deps = (given: Partial<CheckDeps> = {}): CheckDeps => ({
  readText: (path) => (path === 'a.txt' ? 'one\r\n  two' : null),
  exists: (path) => path === 'a.txt',
  runCommand: () => Promise.resolve({ status: 'ok', exitCode: 0, output: 'fine' }),
  ...given,
});

describe('A check', () => {
  it('of a file looks on the disk', async () => {
    expect(await runCheck({ type: 'file_exists', path: 'a.txt' }, deps())).toMatchObject({
      passed: true,
    });
    const missing = await runCheck({ type: 'file_exists', path: 'b.txt' }, deps());
    expect(missing).toMatchObject({ passed: false, text: 'b.txt does not exist: write it' });
  });

  it('of a content does not mind line ends', async () => {
    const check = { type: 'file_contains', path: 'a.txt' } as const;
    expect((await runCheck({ ...check, text: 'one two' }, deps())).passed).toBe(true);
    expect((await runCheck({ ...check, text: 'three' }, deps())).passed).toBe(false);
    expect((await runCheck({ ...check, path: 'b', text: 'x' }, deps())).passed).toBe(false);
  });

  it('of a command hands on its input and shows what a failed one printed', async () => {
    const seen: unknown[] = [];
    const failing = deps({
      runCommand: (cmd, stdin) => {
        seen.push([cmd, stdin]);
        return Promise.resolve({ status: 'error', exitCode: 1, output: 'Traceback: KeyError' });
      },
    });
    const result = await runCheck(
      { type: 'command_succeeds', cmd: 'python a.py', stdin: 'rock' },
      failing,
    );
    expect(seen).toEqual([['python a.py', 'rock']]);
    expect(result.passed).toBe(false);
    expect(result.text).toMatch(
      /python a\.py: it ended with exit code 1[\s\S]*"rock"[\s\S]*KeyError/,
    );
    expect(result.facts).toEqual({ exitCode: 1 });
  });

  it('that was refused or ran out of time says so, with exit code 0 or without', async () => {
    const refused = deps({
      runCommand: () =>
        Promise.resolve({
          status: 'denied',
          exitCode: 0,
          output: '',
          content: 'curl is not allowed',
        }),
    });
    const result = await runProof({ cmd: 'curl x' }, refused);
    expect(result).toMatchObject({ passed: false, text: 'curl x: curl is not allowed' });
  });

  it('that failed ends with its hint, and keeps what is known of how it ended', async () => {
    const facts = { exitCode: 1, failingTests: 2, asksForInput: 'Name?', durationMs: 7 };
    const failed = deps({
      runCommand: () =>
        Promise.resolve({
          status: 'error',
          exitCode: 1,
          output: 'boom',
          hint: 'look',
          facts,
        }),
    });
    const result = await runProof({ cmd: 'a' }, failed);
    expect(result.text).toBe('a: it ended with exit code 1\nboom\nHint: look');
    expect(result.facts).toEqual({ exitCode: 1, failingTests: 2, asksForInput: 'Name?' });
  });

  it('that was ended by a signal says so before what it printed', async () => {
    const ended = { status: 'error', exitCode: null, ending: 'ended by signal SIGSEGV' } as const;
    const failed = deps({ runCommand: () => Promise.resolve({ ...ended, output: 'boom\n' }) });
    const { text } = await runProof({ cmd: 'a' }, failed);
    expect(text).toBe('a: it did not come to its end\nended by signal SIGSEGV\nboom');
  });

  it('shows the end of a long output', async () => {
    const long = deps({
      runCommand: () =>
        Promise.resolve({ status: 'error', exitCode: 1, output: `${'x'.repeat(9000)} the error` }),
    });
    const result = await runProof({ cmd: 'a' }, long);
    expect(result.text.length).toBeLessThan(2200);
    expect(result.text).toMatch(/the error$/);
  });

  it('passes by its exit code, as proof and as check', async () => {
    const quiet = deps({
      runCommand: () => Promise.resolve({ status: 'ok', exitCode: 0, output: '' }),
    });
    expect((await runProof({ cmd: 'a' }, quiet)).passed).toBe(true);
    expect((await runCheck({ type: 'command_succeeds', cmd: 'a' }, quiet)).passed).toBe(true);
  });
});

it('What a file holds that may hold keys is no check', async () => {
  const held = deps({ readText: () => 'KEY=1', needsApproval: (path) => path === '.env' });
  const contains = (path: string) => runCheck({ type: 'file_contains', path, text: 'KEY=1' }, held);
  expect(await contains('a.txt')).toMatchObject({ passed: true });
  expect(await contains('.env')).toMatchObject({
    passed: false,
    text: '.env may hold keys, so nothing looks at what is in it',
  });
});
