/** The walkthroughs of the built `agent`: what each must show, whichever model is behind it. */
import { execa } from 'execa';
import { expect } from 'vitest';
import { type AgentEnd, recordsIn } from './e2e-agent.ts';
import { MATHX } from './e2e-goals.ts';
import { isInstalled } from './installed.ts';

export interface Walked extends AgentEnd {
  readonly folder: string;
}

const hasRuff = await isInstalled('ruff', '--version');

export const unless = (isThere: boolean, what: string): string =>
  isThere ? '' : ` (skipped: no ${what} here)`;

/** A package with tests, looked over by ruff where it is there. */
export const PACKAGE = hasRuff
  ? MATHX
  : { ...MATHX, subtasks: MATHX.subtasks.filter(({ cmd }) => !cmd?.startsWith('ruff')) };

/** The rounds of a run, from its own journal. */
const roundsOf = (folder: string): number => recordsIn(folder, 'round_started').length;

function expectAchieved({ exitCode, stderr }: Walked): void {
  expect(stderr).toContain('Done in');
  expect(exitCode).toBe(0);
}

export async function expectHello(walked: Walked): Promise<void> {
  const { folder } = walked;
  expectAchieved(walked);
  // What the model says of its work, where it does, stands below.
  expect(walked.stdout).toMatch(/^Done in .*\n/);
  expect(roundsOf(folder)).toBeGreaterThanOrEqual(2);
  expect(roundsOf(folder)).toBeLessThanOrEqual(3);
  const script = await execa('python', ['hello_world.py'], { cwd: folder });
  expect(script.stdout).toBe('Hello, World!');
}

export async function expectGame(walked: Walked): Promise<void> {
  const { folder } = walked;
  // Nothing of the goal can be held against it.
  expect(walked.exitCode, walked.stderr).toBe(9);
  expect(roundsOf(folder)).toBeLessThanOrEqual(8);
  const proof = recordsIn(folder, 'check_ran').find((check) => check.proof);
  expect(proof).toMatchObject({ passed: true, check: { stdin: 'rock\nquit\n' } });
  const program = ['rock_paper_scissors.py'];
  const game = await execa('python', program, { cwd: folder, input: 'paper\nquit\n' });
  expect(game.stdout).toContain('You chose paper');
  expect(game.stdout).toContain('Goodbye!');
}

export async function expectPackage(walked: Walked, isLed: boolean): Promise<void> {
  const { folder } = walked;
  // Own tests of a model that is led prove nothing without an example in the goal.
  if (!isLed) expectAchieved(walked);
  else
    expect([walked.exitCode, walked.stderr]).toEqual([
      9,
      expect.stringContaining('by tests of this run alone'),
    ]);
  expect(roundsOf(folder)).toBeLessThanOrEqual(12);
  const ruff = recordsIn(folder, 'action_finished').filter((one) => one.tool === 'run_cmd');
  const clean = hasRuff ? [['ok', 0]] : [];
  expect(ruff.map((one) => [one.status, one.facts.exitCode])).toEqual(clean);
  const proof = recordsIn(folder, 'check_ran').find((check) => check.proof);
  expect(proof).toMatchObject({ passed: true, check: { cmd: 'python -m pytest -q' } });
  const tests = await execa('python', ['-m', 'pytest', '-q'], { cwd: folder });
  expect(tests.stdout).toContain('3 passed');
}
