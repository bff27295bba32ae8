/** What an open conversation reports about itself, and how it is shortened. */
import { TardigradeError } from '../lib/errors.ts';
import { compactNow } from '../round/model/compact.ts';
import { usedFolders } from '../round/permission/folder-trust.ts';
import { permissionSummary, reportShell } from '../run/start/permissions.ts';
import type { LiveSession } from './options.ts';
import type { SessionParts } from './session-parts.ts';

/** Who works here and what is allowed; every stream of events begins with this. */
export function announce(
  { live, isConfined }: Pick<SessionParts, 'live' | 'isConfined'>,
  isResumed: boolean,
): void {
  live.emit({ type: 'permissions', ...permissionSummary(live, live.request.run, isConfined) });
  reportShell(live, live.request.run);
  const inUse = usedFolders(live.folders);
  if (inUse !== null) live.emit({ type: 'notice', level: 'info', text: inUse });
  const { state } = live.context;
  live.emit({ type: 'begun', state, number: state.chat.number, isResumed });
}

/** False if there is nothing to summarise. Throws E_INTERRUPTED if stopped, E_PROVIDER if the model gave no summary. */
export async function summedUp(live: LiveSession): Promise<boolean> {
  const { seq } = live.context.state;
  if (!(await compactNow(live))) return false;
  const { lastTurn, conversation } = live.context.state;
  live.context.settle(false);
  // A cancelled request leaves no turn.
  if (lastTurn === null || lastTurn.seq <= seq)
    throw new TardigradeError('E_INTERRUPTED', 'Stopped: nothing was summed up.', '');
  if (conversation.some((message) => message.seq === lastTurn.seq)) return true;
  const why = lastTurn.detail || 'the model wrote nothing but thoughts.';
  throw new TardigradeError('E_PROVIDER', `There is no summary: ${why}`, '');
}
