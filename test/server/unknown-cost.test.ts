import { expect, test } from 'vitest';
import { shownRun } from '../../src/server/mcp/shown-run.ts';
import type { ServerPlace } from '../../src/server/place.ts';
import { runDetailOf } from '../../src/server/runs/detail.ts';
import type { RunQueue } from '../../src/server/runs/queue.ts';
import { runState } from '../cli/support.ts';

function detailWith(cost: { readonly usd: number; readonly unknownTurns: number }) {
  const { usage } = runState({});
  const state = runState({ usage: { ...usage, cost } });
  const place = {
    ...{ roots: ['/work'], fs: { platform: 'linux' } },
    typed: (words: string[]) => words.join(' '),
    engine: {
      ...{ beliefIn: () => ({ kind: 'own', state }), readRun: () => null },
      lockOwner: () => null,
    },
  } as unknown as ServerPlace;
  const queue = { placeOf: () => null, early: { failedAt: () => null, cutOffBy: () => null } };
  const summary = { id: 'r', path: '/work', number: 1, standing: 'achieved', lastAt: 1 };
  return runDetailOf(place, queue as unknown as RunQueue, summary as never, new Map());
}

test('a run of a model without a known price costs an unknown amount, not nothing', () => {
  const unknown = detailWith({ usd: 0, unknownTurns: 3 });
  expect(unknown).toMatchObject({ costUsd: null, unpricedTurns: 3 });
  expect(shownRun(unknown, false)).toMatchObject({ costUsd: null, unpricedTurns: 3 });
  expect(detailWith({ usd: 2, unknownTurns: 1 })).toMatchObject({ costUsd: 2, unpricedTurns: 1 });
});
