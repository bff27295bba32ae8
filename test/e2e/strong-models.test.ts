/**
 * What a capable model answered, from the requests alone and without knowing this program: played
 * against a run, and held against what a plain loop with the same jail and policy was sent
 * (test/support/plain-loop.ts). It prints the table of docs/internals/models.md; `npm run crash` plays the goals
 * whose tests take long, too, which is all of it: EVERY_KILL=1.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { HAS_PYTEST } from '../support/installed.ts';
import { STRONG_ORACLES } from '../support/strong-oracles.ts';
import {
  type Cost,
  costOf,
  type LedBy,
  readStrong,
  requestsOf,
  STRONG_GOALS,
  type StrongGoal,
} from '../support/strong-recordings.ts';
import { replay } from '../support/strong-replay.ts';

/** Of the plain loop. */
const MAX = { turns: 1.5, tokens: 1.8 };

const ENDINGS: { readonly [name: string]: string } = {
  contacts: 'paused',
  feedbox: 'answered',
};
/** Seconds and more: they run the tests of a project again and again. */
const SLOW = ['timesheet', 'limits', 'mdtool', 'todo', 'billing'];

const hasPytest = spawnSync('python3', ['-c', HAS_PYTEST]).status === 0;
const isLeftOut = ({ name }: StrongGoal): boolean =>
  (name === 'timesheet' && !hasPytest) || (SLOW.includes(name) && !process.env.EVERY_KILL);

const played = (goal: StrongGoal, ledBy: LedBy) =>
  replay(goal, ledBy, async ({ folder, requests, ending, said }) => ({
    cost: costOf(requests),
    ending,
    faults: await STRONG_ORACLES[goal.name]?.(folder, said),
  }));

const recordedCost = ({ name }: StrongGoal): Cost => costOf(requestsOf(readStrong(name, 'loop')));

const thousands = ({ tokens }: Cost): string => `${(tokens / 1000).toFixed(1)}k`;

describe.each(STRONG_GOALS.map((goal) => [goal.kind, goal] as const))('%s', (kind, goal) => {
  it.skipIf(isLeftOut(goal))(
    'ends right where the model leads, at about the price of a plain loop',
    async () => {
      const { cost, ending, faults } = await played(goal, 'free');
      const loop = recordedCost(goal);
      console.log(
        `| ${kind} | ${cost.turns} | ${loop.turns} | ${thousands(cost)} | ${thousands(loop)} |`,
      );
      expect(faults).toEqual([]);
      expect(ending).toBe(ENDINGS[goal.name] ?? 'achieved');
      expect(cost.turns).toBeLessThanOrEqual(MAX.turns * loop.turns);
      expect(cost.tokens).toBeLessThanOrEqual(MAX.tokens * loop.tokens);
    },
    300_000,
  );
});

describe('the plain loop', () => {
  const [question] = STRONG_GOALS.filter(({ name }) => name === 'feedbox');

  it('ends right, and is sent what it was sent when it was recorded', async () => {
    const { cost, faults } = await played(question as StrongGoal, 'loop');
    expect(faults).toEqual([]);
    const recorded = recordedCost(question as StrongGoal);
    expect(cost.turns).toBe(recorded.turns);
    // The words of a tool may change.
    expect(Math.abs(cost.tokens - recorded.tokens)).toBeLessThan(recorded.tokens * 0.05);
  });
});
