import { expect, it } from 'vitest';
import type { ContextManager } from '../../src/context-manager/context-manager.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import type { Lock } from '../../src/journal/lock/contract.ts';
import type { TardigradeError } from '../../src/lib/errors.ts';
import { heldUnder } from '../../src/run/open.ts';

type State = { readonly isHeld: boolean; readonly isTaken: boolean; readonly isLate: boolean };

/** Why the journal is given up once the lock is in that state; '' if it is not. */
function givenUp({ isHeld, isTaken, isLate }: State): string {
  const reasons: TardigradeError[] = [];
  const watch = {
    guard: () => {},
    isOurs: () => true,
    giveUp: (reason: TardigradeError) => void reasons.push(reason),
  };
  const lock: Omit<Lock, 'owner'> = {
    ...{ takeToken: () => 1, renew: () => {}, release: () => {} },
    ...{ isHeld: () => isHeld, isTaken: () => isTaken, isLate: () => isLate },
  };
  const context = { journal: { watch } } as unknown as ContextManager;
  const opened = { context, workspace: '/w', layout: layoutOf('/w'), isResumed: true };
  const isOurs = heldUnder(lock, opened).isOurs();
  expect(reasons.length).toBe(isOurs ? 0 : 1);
  return reasons[0]?.code ?? '';
}

it.each([
  [{ isHeld: true, isTaken: false, isLate: false }, ''],
  [{ isHeld: true, isTaken: false, isLate: true }, 'E_FENCED'],
  [{ isHeld: false, isTaken: false, isLate: false }, 'E_FENCED'],
  [{ isHeld: false, isTaken: true, isLate: false }, 'E_FENCED'],
])('a lock that is %j gives the journal up with "%s"', (state, code) => {
  expect(givenUp(state)).toBe(code);
});
