import { orNull } from '../lib/or-null.ts';
import type { ConversationPort } from '../round/model/send-to-model.ts';
import { receiveMessage } from '../round/person-says.ts';
import type { Inbox, LineTaken } from '../schema/inbox.ts';

/**
 * Accepts messages while the run works. The sender is outside the loop: an error is reported to the sender, and
 * the loop meets it at its next record.
 * @returns a function that stops listening
 */
export function listenTo(inbox: Inbox | null, run: ConversationPort): () => void {
  if (inbox === null) return () => {};
  return inbox.listen((line): LineTaken => {
    const { ended, paused } = run.context.state;
    if (ended !== null || paused !== null) return 'failed';
    return orNull(() => receiveMessage(run, line)) ?? 'failed';
  });
}
