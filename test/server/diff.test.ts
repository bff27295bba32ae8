import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { type RunParts, readDiff } from '../../src/server/runs/act.ts';
import { runState } from '../cli/support.ts';

test('a changed file says whether only commands changed it', async () => {
  const change = { before: null, after: 'b', isUnseen: false, seq: 7 };
  const commandFiles = { 'build/a.o': change, 'own.txt': change };
  const state = runState({
    commandChanges: { files: commandFiles, uncovered: {}, more: 0 },
    files: { 'own.txt': { written: true, hash: 'h' } } as never,
  });
  const of = { before: null, after: Buffer.from('x\n'), isChangedSince: false, problem: '' };
  const engine = {
    beliefIn: () => ({ kind: 'own', state }),
    changes: async () => ['build/a.o', 'own.txt', 'c.txt'].map((path) => ({ path, ...of })),
  };
  const parts = { place: { engine, clock: systemClock } } as unknown as RunParts;
  const { files } = await readDiff(parts, { id: 'r', path: '/w' } as never, null);
  expect(files.map(({ isByCommand }) => isByCommand)).toEqual([true, false, false]);
});
