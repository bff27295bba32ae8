/** What the repetition of a command in a copy tells of the trial that needs it. */
import { expect, it } from 'vitest';
import { answerOfFailed, copyKey } from '../../../src/evidence/trials/replay.ts';

type Failed = Parameters<typeof answerOfFailed>[0];
type Made = Parameters<typeof answerOfFailed>[2];

const made = (...lines: readonly string[]): Made => ({
  ...{ commands: lines.map((cmd) => ({ cmd })), folders: [], ms: 1, areUnchangedByRun: true },
  isOutput: () => false,
  outputsOf: () => [],
});
const ended = (exitCode: number | null) =>
  ({
    ...{ check: { cmd: 'make' }, facts: { exitCode }, text: 'calc.c:1: error' },
    scratch: { what: 'made', about: 'make', tree: 't', word: 'w' },
  }) as unknown as Failed;
const told = (
  what: 'unchanged' | 'altered' | 'emptied',
  exitCode: number | null,
  areUnchangedByRun = true,
) => answerOfFailed(ended(exitCode), { what }, { ...made('make'), areUnchangedByRun });

const FAILED = {
  ...{ kind: 'ran', passed: false, exitCode: 2, output: 'calc.c:1: error', word: 'w' },
  isUnmade: true,
};
const NONE = { kind: 'none', why: expect.stringMatching(/^make, .* fails there$/), isUnmade: true };

it('a build that fails in a copy fails the trial, as a proof that builds would', () => {
  expect(told('unchanged', 2)).toEqual(FAILED);
  expect(told('altered', 2)).toEqual(FAILED);
});

it('it tells nothing where the run changed the build, or no tests could be built', () => {
  expect(told('altered', 2, false)).toEqual(NONE);
  expect(told('emptied', 2)).toEqual(NONE);
  expect(told('unchanged', 2, false)).toEqual(FAILED);
});

it('nor where it passed without its files, or nobody knows how it ended', () => {
  const unmade = { ...NONE, why: expect.stringMatching(/ does not make it there$/) };
  expect(told('unchanged', 0)).toEqual(unmade);
  const { isUnmade: _, ...none } = NONE;
  expect(told('unchanged', null)).toEqual(none);
});

it('the key of a copy tells which commands were repeated in it', () => {
  const keys = [null, made('make'), made('make', 'make all')].map((one) => copyKey('t', one));
  expect(keys[0]).toBe('t');
  expect(new Set(keys).size).toBe(3);
  expect(copyKey('t', made('make'))).toBe(keys[1]);
});
