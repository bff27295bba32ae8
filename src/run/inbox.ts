import { hear } from '../round/person.ts';
import type { SayPort } from '../round/say.ts';
import type { Inbox, Taken } from '../schema/inbox.ts';

/**
 * Takes what somebody says while the run works. Who says it is outside the loop: what fails here is
 * told there, and shows itself in the loop at the next record.
 * @returns what ends it
 */
export function listenTo(inbox: Inbox | null, run: SayPort): () => void {
  if (inbox === null) return () => {};
  let isOver = false;
  const stop = inbox.listen((line): Taken => {
    const { ended, paused } = run.context.state;
    if (isOver || ended !== null || paused !== null) return 'failed';
    try {
      return hear(run, line);
    } catch {
      return 'failed';
    }
  });
  return () => {
    isOver = true;
    stop();
  };
}
