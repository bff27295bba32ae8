import { expect, it } from 'vitest';
import { readOptions } from '../../src/run/options.ts';
import { MAX_GOAL } from '../../src/schema/config.ts';
import { diligentModel } from '../support/models.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';

it('takes a goal of 100,000 characters, and says of a longer one what to do instead', () => {
  const read = (goal: string) =>
    readOptions({
      goal,
      workspace: '/w',
      model: 'm',
      provider: scriptedProvider(diligentModel({ subtasks: [] })),
    });
  expect(read('x'.repeat(MAX_GOAL)).goal).toHaveLength(100_000);
  expect(() => read('x'.repeat(MAX_GOAL + 1))).toThrow(
    expect.objectContaining({
      code: 'E_USAGE',
      message: 'The goal has more than 100,000 characters.',
      hint: expect.stringContaining('name the file in the goal'),
    }),
  );
});
