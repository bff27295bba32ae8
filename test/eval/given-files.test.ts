import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { fullName, taskOf } from '../../eval/generate/generator.ts';
import { GENERATORS } from '../../eval/generate/generators.ts';
import { isToBeRead } from '../../src/probe/goal-kind.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];

test('of no generated goal a file that it asks to change is taken for one that is only to be read', () => {
  const named = GENERATORS.flatMap((generator) =>
    SEEDS.flatMap((seed) => {
      const { goal, given = {}, mayChange = [] } = taskOf(generator, seed);
      return Object.keys(given)
        .filter((path) => goal.includes(basename(path)))
        .map((path) => {
          const isWork = mayChange.includes(path);
          return {
            goal: `${fullName(generator)}: ${goal}`,
            isWork,
            isHeld: isToBeRead(goal, path),
          };
        });
    }),
  );
  expect(named.filter(({ isWork, isHeld }) => isWork && isHeld)).toEqual([]);
  const inputs = named.filter(({ goal, isWork }) => goal.startsWith('reads/') && !isWork);
  expect(inputs.filter(({ isHeld }) => isHeld).length / inputs.length).toBeGreaterThan(0.75);
});
