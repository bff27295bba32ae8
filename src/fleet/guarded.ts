/** Carries out only requests and answers that are signed with the key of this worker's user. */
import { FleetAnswer, FleetRequest, type Slice, type Slices } from './contract.ts';
import { isOwnAnswer, isOwnRequest } from './signing.ts';

export interface Guard {
  readonly key: Uint8Array;
  /** Why this worker may not work on the run; `null`: it may. */
  refuses(request: FleetRequest): string | null;
}

export function guarded(slices: Slices, { key, refuses }: Guard): Slices {
  const whyNot = (request: FleetRequest): string | null => {
    if (!FleetRequest.safeParse(request).success) return 'this version cannot read the request';
    if (!isOwnRequest(key, request)) return 'the request is not signed with the key of this worker';
    return refuses(request);
  };
  return {
    advance: async (request, signal) => {
      const why = whyNot(request);
      return why === null ? slices.advance(request, signal) : refusal(why);
    },
    answer: async (request, answer) => {
      const isOwn = FleetAnswer.safeParse(answer).success && isOwnAnswer(key, request.run, answer);
      const why = whyNot(request) ?? (isOwn ? null : 'the answer is not signed with its key');
      return why ?? slices.answer(request, answer);
    },
    pause: (run) => slices.pause(run),
    release: (run) => slices.release(run),
    room: (tenant) => slices.room?.(tenant) ?? 0,
  };
}

const refusal = (detail: string): Slice => ({ is: 'pausing', seq: 0, why: 'E_FOREIGN', detail });
