/** Settles what a crash left open in a conversation, before anything else happens. */

import { ASIDE } from '../drivers/chat/messages.ts';
import { filesChanged } from '../prompts/remarks.ts';
import type { OpenedRun } from '../run/open.ts';
import { settleOpen } from '../run/resume.ts';
import type { LiveSession } from './live-session.ts';

/** Does nothing for a session that has only just begun. */
export async function resumeSession(
  live: LiveSession,
  { isResumed, layout }: Pick<OpenedRun, 'isResumed' | 'layout'>,
): Promise<void> {
  if (!isResumed) return;
  tellChanged(live, await settleOpen(live, layout));
  live.context.sync('effect');
}

/** Between a call and its result nothing may be said; a file is looked at again before it is written. */
function tellChanged({ context, emit }: LiveSession, changed: readonly string[]): void {
  if (changed.length === 0) return;
  const text = `Changed by somebody else since this session saw them: ${changed.join(', ')}`;
  emit({ type: 'notice', level: 'warning', text });
  if (context.state.pending !== null) return;
  context.record({ ...ASIDE, text: filesChanged(changed), by: 'engine' });
}
