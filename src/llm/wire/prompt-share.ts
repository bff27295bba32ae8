/**
 * Reports how much of a prompt a model has read, as events: one for each whole percent, the last one when all is read.
 */
import type { ModelEvent } from '../../schema/model/turn.ts';

/** @returns a function of `read` out of `of` uncached tokens, which returns no event or one */
export function promptShare(): (read: number, of: number) => readonly ModelEvent[] {
  let reported = -1;
  return (read, of) => {
    const percent = Math.floor((100 * read) / of);
    // A server's wrong count gives no percentage.
    if (!(percent > reported && percent <= 100)) return [];
    reported = percent;
    return [{ type: 'prompt_read', percent }];
  };
}
