import type { ConversationPort } from '../round/model/send-to-model.ts';
import { receiveMessage } from '../round/person-says.ts';
import type { Inbox, Taken } from '../schema/inbox.ts';

/**
 * Takes what somebody says while the run works. Who says it is outside the loop: what fails here is
 * told there, and shows itself in the loop at the next record.
 * @returns what ends it
 */
export function listenTo(inbox: Inbox | null, run: ConversationPort): () => void {
  if (inbox === null) return () => {};
  let isOver = false;
  const stop = inbox.listen((line): Taken => {
    const { ended, paused } = run.context.state;
    if (isOver || ended !== null || paused !== null) return 'failed';
    try {
      return receiveMessage(run, line);
    } catch {
      return 'failed';
    }
  });
  return () => {
    isOver = true;
    stop();
  };
}
