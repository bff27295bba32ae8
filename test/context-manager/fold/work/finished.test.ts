import { expect, test } from 'vitest';
import {
  type Finished,
  mayHaveChanged,
} from '../../../../src/context-manager/fold/work/finished.ts';

const finished = {
  ...{ seq: 9, ts: 0, offset: 90, type: 'action_finished', id: '1#1#0', tool: 'run_cmd' },
  ...{ touches: 'process', does: 'runs_commands', target: 'make', signature: 's' },
  ...{ status: 'error', result: '', resultHash: 'h', hashes: {}, facts: {} },
} as unknown as Finished;

test.each<[string, Finished, boolean]>([
  ['a command that says nothing about files', { ...finished, facts: { exitCode: 1 } }, true],
  ['a command that changed nothing', { ...finished, facts: { changed: false } }, false],
  [
    'a command line that no program was started for',
    { ...finished, facts: { notStarted: true } },
    false,
  ],
  ['a command that was refused', { ...finished, status: 'denied' }, false],
  ['a look', { ...finished, touches: 'reads' }, false],
])('%s may have changed files', (_what, record, changes) => {
  expect(mayHaveChanged(record)).toBe(changes);
});
