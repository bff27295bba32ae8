/** How much of a prompt a model has read, as events: one for each whole percent, the last one where all is read. */
import type { ModelEvent } from '../../schema/model/turn.ts';

/** @returns what is told of `read` of `of` tokens that were not in a cache: nothing, or one event */
export function promptShare(): (read: number, of: number) => readonly ModelEvent[] {
  let told = -1;
  return (read, of) => {
    const percent = Math.floor((100 * read) / of);
    // What a server counts wrongly is no percentage.
    if (!(percent > told && percent <= 100)) return [];
    told = percent;
    return [{ type: 'prompt_read', percent }];
  };
}
