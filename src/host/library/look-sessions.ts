/** What can be asked of the conversations of a folder. Takes no lock and changes nothing. */

import {
  checkedSessions,
  noSuchSession,
  type SessionListing,
  sessionNamed,
  listSessions as sessionsIn,
} from '../../sessions/places.ts';
import { type TranscriptLine, transcriptOf } from '../../sessions/transcripts/export.ts';
import { machineOf, type Where } from './place.ts';

type Place = Pick<Where, 'workspace' | 'machine'>;

/** Every conversation of a folder, the one held last first; a damaged one is called so. */
export async function listSessions(where: Place): Promise<readonly SessionListing[]> {
  return checkedSessions(machineOf(where).fs, where.workspace);
}

export interface TranscriptWish extends Place {
  /** Its name, number or id. */
  readonly session: string;
}

/** What was said in one, also what a summary stands for by now. Throws E_USAGE, E_JOURNAL_CORRUPT. */
export async function* transcript(wish: TranscriptWish): AsyncGenerator<TranscriptLine> {
  const { workspace, session } = wish;
  const { fs } = machineOf(wish);
  const found = sessionNamed(sessionsIn(fs, workspace), session);
  if (found === null) throw noSuchSession(session);
  yield* transcriptOf(fs, workspace, found.id);
}
