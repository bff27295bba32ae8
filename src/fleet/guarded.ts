/** Slices of wishes that were signed with the key of this worker's user, and of no others. */
import type { FleetWish, Slice, Slices } from './contract.ts';
import { FleetAnswer, FleetWish as Wish } from './contract.ts';
import { isOwnAnswer, isOwnWish } from './wish.ts';

export interface Guard {
  readonly key: Uint8Array;
  /** Why a run is none that this worker may work on; `null`: it is. */
  refuses(wish: FleetWish): string | null;
}

export function guarded(slices: Slices, { key, refuses }: Guard): Slices {
  const whyNot = (wish: FleetWish): string | null => {
    if (!Wish.safeParse(wish).success) return 'the wish is none that this version reads';
    if (!isOwnWish(key, wish)) return 'the wish is not signed with the key of this worker';
    return refuses(wish);
  };
  return {
    advance: async (wish, signal) => {
      const why = whyNot(wish);
      return why === null ? slices.advance(wish, signal) : refusal(why);
    },
    answer: async (wish, answer) => {
      const isOwn = FleetAnswer.safeParse(answer).success && isOwnAnswer(key, wish.run, answer);
      const why = whyNot(wish) ?? (isOwn ? null : 'the answer is not signed with its key');
      return why ?? slices.answer(wish, answer);
    },
    pause: (run) => slices.pause(run),
    release: (run) => slices.release(run),
    room: (tenant) => slices.room?.(tenant) ?? 0,
  };
}

const refusal = (detail: string): Slice => ({ is: 'pausing', seq: 0, why: 'E_FOREIGN', detail });
