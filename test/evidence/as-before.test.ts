/** Whether a command fails as it did before the run changed anything. */
import { describe, expect, it } from 'vitest';
import { comparedToBefore, failingIn } from '../../src/evidence/as-before.ts';

const FOLDER = '/w';
const RED = "/w/a.txt(1): error: 'bad' is bad\n";
const TWO = `${RED}/w/b.txt(3): error: 'worse' is worse\n`;
const failed = { cmd: 'tsc', exitCode: 2, output: RED, folder: FOLDER };
const known = {
  changedAt: 9,
  failedBefore: { tsc: { exitCode: 2, failing: failingIn(RED, FOLDER) } },
};

describe('a command that fails', () => {
  it('does so as before, before anything was changed', () => {
    expect(comparedToBefore({ changedAt: 0 }, failed)).toEqual({
      ...{ failing: failingIn(RED, FOLDER), asBefore: true },
    });
  });

  it('is compared with how it failed before, and may fail in less', () => {
    expect(comparedToBefore(known, failed)).toEqual({ asBefore: true });
    expect(comparedToBefore(known, { ...failed, output: '' })).toEqual({ asBefore: true });
    expect(comparedToBefore(known, { ...failed, output: TWO })).toEqual({});
    expect(comparedToBefore(known, { ...failed, exitCode: 1 })).toEqual({});
  });

  it('is kept as it fails now where a copy of the files as found can tell, as of tests and checkers', () => {
    const failing = { failingNow: failingIn(RED, FOLDER) };
    for (const cmd of ['tsc --noEmit', 'npm test'])
      expect(comparedToBefore({ changedAt: 9 }, { ...failed, cmd })).toEqual(failing);
    expect(comparedToBefore({ changedAt: 9 }, { ...failed, cmd: 'node serve.mjs' })).toEqual({});
  });
});

it.each([0, null])('a command that ended with %s did not fail', (exitCode) => {
  for (const state of [{ changedAt: 0 }, known])
    expect(comparedToBefore(state, { ...failed, exitCode })).toEqual({});
});
