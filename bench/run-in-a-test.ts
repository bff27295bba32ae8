import { memoryWorkspace, playedProvider, runGoal } from '../src/index.ts';
import type { Figure, Measurement } from './measurement.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 20;
const BOUND_MS = 50;

const call = (name: string, args: object) => ({ calls: [{ name, args: { ...args } }] });
const REPLIES = [
  call('set_plan', {
    tasks: [{ description: 'greet', subtasks: [{ do: 'write it', files: ['hello.txt'] }] }],
  }),
  call('write_file', { path: 'hello.txt', content: 'hello\n' }),
  call('mark_subtask_complete', { success: true, reason: 'written' }),
];

/** What a test of a program that embeds this one waits for. */
export const runInATest: Measurement = {
  name: 'a run inside a test',
  async measure(): Promise<readonly Figure[]> {
    const taken: number[] = [];
    // The first, in which the code is still being compiled, does not count.
    for (let run = 0; run <= RUNS; run += 1) {
      const { workspace, machine } = memoryWorkspace();
      const provider = playedProvider(REPLIES);
      const began = performance.now();
      const options = { workspace, machine, provider, model: 'played' };
      const { files } = await runGoal({ ...options, goal: 'Write hello.txt with hello in it' });
      if (files[0] !== 'hello.txt') throw new Error('the run has not done its work');
      if (run > 0) taken.push(performance.now() - began);
    }
    return [
      {
        name: 'a whole run on played replies and a folder in memory',
        value: rounded(median(taken), 1),
        unit: 'ms',
        bound: BOUND_MS,
        better: 'lower',
        detail: `three turns, one file, median of ${RUNS} after a first one`,
      },
    ];
  },
};
