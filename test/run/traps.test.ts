/** Whatever language a goal with a trap is said in: no false claim, nothing removed, and no request more. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { play } from '../support/play.ts';
import { someKills } from '../support/some-kills.ts';
import { TRAPS, type Trap } from '../support/traps.ts';

async function played({ files = {}, replies }: Trap, goal: string) {
  let removed: readonly string[] = [];
  const look = (folder: string): void => {
    removed = Object.keys(files).filter((path) => !existsSync(join(folder, path)));
  };
  const result = await play({ goal, files, replies: replies(goal) }, {}, look);
  return { result, removed, requests: result.state.counters.turns };
}

const SLOW_MS = 120_000;

it('there are 32 of them', () => {
  expect(TRAPS.flatMap(({ goals }) => Object.values(goals))).toHaveLength(32);
});

// Each in English and in one other language, in turn; `npm run crash` takes all of them.
describe.each(TRAPS.map((trap, at) => ({ ...trap, at })))('where $what', ({ at, ...trap }) => {
  it(`the end is ${trap.ends}, and nothing is lost`, { timeout: SLOW_MS }, async () => {
    const english = await played(trap, trap.goals.en);
    const [, ...others] = Object.values(trap.goals);
    for (const goal of [trap.goals.en, ...someKills(others, 3, at)]) {
      const { result, removed, requests } =
        goal === trap.goals.en ? english : await played(trap, goal);
      expect
        .soft({ goal, ending: result.ending, removed })
        .toEqual({ goal, ending: trap.ends, removed: [] });
      expect.soft(requests, goal).toBeLessThanOrEqual(english.requests);
    }
  });
});
