/** Pure: which of several contents is written. */
import type { ContentRequest } from '../../schema/state-parts/guided-state.ts';
import type { Step } from '../../steps/step.ts';

/** The one that fails the fewest given examples, the earlier one if equal; `null`: there is none. */
export function takeBest({ candidates = [] }: ContentRequest): Step | null {
  const fewest = Math.min(...candidates.map(({ failed }) => failed));
  const index = candidates.findIndex(({ failed }) => failed === fewest);
  return index < 0 ? null : { do: 'take_candidate', index };
}
