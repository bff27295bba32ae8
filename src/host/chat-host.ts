/** What a command line or a server needs to hold conversations, in one place. */

import { originOf } from '../context-manager/origin.ts';
import type { TardigradeError } from '../lib/errors.ts';
import { withoutFiles } from '../lib/hiding-file-system.ts';
import { openInPlaceOf, openSession } from '../sessions/open-session.ts';
import type { SessionOptions } from '../sessions/options.ts';
import {
  damageOf,
  lastSession,
  listSessions,
  noSuchSession,
  readSession,
  type SessionListing,
  sessionNamed,
} from '../sessions/places.ts';
import type { Session } from '../sessions/session.ts';
import { type TranscriptLine, transcriptOf } from '../sessions/transcripts/export.ts';
import type { FileDifference, UndoPreview, UndoReport } from './engine-port.ts';
import type { HostEnvironment } from './host-environment.ts';
import type { EventRecord } from './log/event-log.ts';
import { eventsOf } from './log/export-events.ts';
import { unsignedText } from './origin.ts';
import { ownThings, withKept } from './own-things.ts';
import { programConsents } from './program-consents.ts';
import {
  type OffSession,
  type SessionStanding,
  type SessionUndoWish,
  sessionChanges,
  sessionStanding,
  sessionUndoPlan,
  undoSession,
} from './undo-session.ts';

/** The machine and what belongs to its user are the host's own business. */
export type ChatRequest = Omit<
  SessionOptions,
  'machine' | 'lessons' | 'keys' | 'keepRules' | 'programConsents' | 'originKey' | 'keepFolder'
> & {
  /** Absolute paths of files that are nobody's work, such as a log: no folder shows them. */
  readonly hiddenFiles?: readonly string[];
};

/** The model that a session was last held with. */
export interface RememberedModel {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
}

export interface ChatHost {
  open(request: ChatRequest): Promise<Session>;
  /** A new session in the place of one that is open; the old one is put away. */
  clear(before: Session, request: ChatRequest): Promise<Session>;
  list(workspace: string): readonly SessionListing[];
  /** What opening it would say; `null` where it would go on. Changes nothing. */
  damage(workspace: string, session: SessionListing): TardigradeError | null;
  /** The session of a name or number, or the one used last; `null` where there is none. */
  find(workspace: string, name: string | null): SessionListing | null;
  /** `null` where the session has none, or its address is not this user's. */
  remembered(workspace: string, id: string): RememberedModel | null;
  /** What an undo of a session that nobody holds open would do; `null` where it is gone. */
  planUndo(workspace: string, id: string, wish: SessionUndoWish): UndoPreview | null;
  /** Throws E_LOCKED where it is open, E_FOREIGN, E_USAGE where its last message was cut off. */
  undo(
    workspace: string,
    id: string,
    wish: SessionUndoWish & { readonly forceUnlock: boolean },
  ): Promise<UndoReport>;
  /** What its messages have changed and not put back; `null` where it is gone. */
  changes(workspace: string, id: string, file?: string): Iterable<FileDifference> | null;
  /** Takes no lock and writes nothing. */
  standing(workspace: string, id: string): SessionStanding | null;
  /** Every message of a session, also those that a summary stands for. Throws E_USAGE. */
  transcript(workspace: string, name: string): Iterable<TranscriptLine>;
  /** The same session as a log of it has it. Throws E_USAGE. */
  events(workspace: string, name: string): Iterable<EventRecord>;
}

export function createChatHost(place: HostEnvironment): ChatHost {
  const { machine, lessons, keys, kept, keepFolder, own, dataFolder } = ownThings(place);
  const { fs } = machine;
  const optionsOf = ({ hiddenFiles = [], ...request }: ChatRequest): SessionOptions => {
    const { workspace } = request;
    const reading = own.findOrMake();
    if (reading.kind === 'unusable')
      request.onEvent?.({ type: 'notice', level: 'warning', text: unsignedText(reading.why) });
    return {
      ...{ lessons, keys, keepFolder },
      machine: { ...machine, fs: withoutFiles(machine.fs, hiddenFiles) },
      originKey: reading.kind === 'ok' ? reading.key : null,
      programConsents: programConsents({ fs, dataFolder, keys: own }, workspace, (text) =>
        request.onEvent?.({ type: 'notice', level: 'warning', text }),
      ),
      keepRules: (rules) => kept.keep(workspace, rules),
      ...request,
      rules: withKept(request.rules, kept.rulesFor(workspace)),
    };
  };
  const find: ChatHost['find'] = (workspace, name) => {
    const all = listSessions(fs, workspace);
    return name === null ? lastSession(all) : sessionNamed(all, name);
  };
  const named = (workspace: string, name: string): string => {
    const found = find(workspace, name);
    if (found === null) throw noSuchSession(name);
    return found.id;
  };
  return {
    ...sessionsThatAreOff((workspace, id) => {
      const reading = own.find();
      const originKey = reading.kind === 'ok' ? reading.key : null;
      return { machine, workspace: fs.realpath(workspace), id, keepFolder, originKey };
    }),
    open: (request) => openSession(optionsOf(request)),
    clear: async (before, request) => {
      const next = await openInPlaceOf(before, optionsOf(request));
      before.putAway(next.id);
      await before.close();
      return next;
    },
    list: (workspace) => listSessions(fs, workspace),
    damage: (workspace, session) => damageOf(fs, workspace, session),
    find,
    remembered: (workspace, id) => {
      const state = readSession(fs, workspace, id);
      const reading = own.find();
      const origin = originOf(reading.kind === 'ok' ? reading.key : null);
      if (!state?.settings || !origin.hasOwnAddress(state)) return null;
      const { provider, model, baseUrl } = state.settings;
      return { provider, model, ...(baseUrl === undefined ? {} : { baseUrl }) };
    },
    transcript: (workspace, name) => transcriptOf(fs, workspace, named(workspace, name)),
    events: (workspace, name) => eventsOf(fs, workspace, named(workspace, name)),
  };
}

/** Those that nobody holds open. */
const sessionsThatAreOff = (
  off: (workspace: string, id: string) => OffSession,
): Pick<ChatHost, 'planUndo' | 'undo' | 'changes' | 'standing'> => ({
  planUndo: (workspace, id, wish) => sessionUndoPlan(off(workspace, id), wish),
  undo: (workspace, id, wish) => undoSession(off(workspace, id), wish),
  changes: (workspace, id, file) => sessionChanges(off(workspace, id), file),
  standing: (workspace, id) => sessionStanding(off(workspace, id)),
});
