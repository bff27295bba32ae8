/** Settles what a crash left open in a conversation, before anything else happens. */
import { wasCutBehind } from '../journal/quarantine.ts';
import { unlessDamaged } from '../journal/read-journal.ts';
import { pausesOf } from '../lib/pieces.ts';
import { filesChanged } from '../prompts/remarks.ts';
import { settledText } from '../run/resume.ts';
import { settle } from '../run/settle.ts';
import { finishDeps } from './act.ts';
import type { LiveSession } from './live-session.ts';
import { ASIDE } from './message-text.ts';
import type { OpenedSession } from './open-journal.ts';

/** Does nothing for a session that has only just begun. */
export async function resumeSession(
  live: LiveSession,
  { isResumed, layout }: Pick<OpenedSession, 'isResumed' | 'layout'>,
): Promise<void> {
  if (!isResumed) return;
  const { context, request, clock, signal } = live;
  const { blobs } = context.journal;
  const { settled, changedMeanwhile } = await settle(context.state, {
    ...finishDeps(live),
    tools: live.tools,
    context: live.toolContext,
    log: { finished: (record) => context.record({ type: 'action_finished', ...record }) },
    imageOf: (hash) => (blobs.has(hash) ? blobs.read(hash) : null),
    readIntent: (offset) => unlessDamaged(() => context.read(offset, 'action_intended')),
    recordingUnseen: (id) => live.keeper.recordingUnseen(id),
    inPieces: pausesOf(clock, signal),
    wasCutBehind: (offset) => wasCutBehind(request.place.fs, layout.quarantine, offset),
  });
  for (const one of settled) {
    live.tell({ type: 'notice', level: 'warning', text: settledText(one) });
    const { id, how, survivor } = one;
    context.record({ type: 'note', kind: 'settled', data: { id, how, survivor } });
  }
  tellChanged(live, changedMeanwhile);
  context.sync('effect');
}

/** Between a call and its result nothing may be said; a file is looked at again before it is written. */
function tellChanged({ context, tell }: LiveSession, changed: readonly string[]): void {
  if (changed.length === 0) return;
  const text = `Changed by somebody else since this session saw them: ${changed.join(', ')}`;
  tell({ type: 'notice', level: 'warning', text });
  if (context.state.pending !== null) return;
  context.record({ ...ASIDE, text: filesChanged(changed), by: 'engine' });
}
