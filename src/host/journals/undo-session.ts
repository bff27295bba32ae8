/** Undo, differences and state of a conversation that is not open: no model is asked. */
import type { Origin } from '../../context-manager/origin.ts';
import { ASIDE } from '../../drivers/chat/messages.ts';
import { misuse } from '../../lib/errors.ts';
import { RUN_WITHOUT_PAUSES, runSync } from '../../lib/interruptible.ts';
import { settleSnapshot } from '../../round/chat/context.ts';
import type { Machine } from '../../run/machine.ts';
import type { Located } from '../../schema/records.ts';
import type { ConversationState } from '../../schema/state.ts';
import { acceptOwnConversation } from '../../sessions/chat-origin.ts';
import { openConversation } from '../../sessions/open-journal.ts';
import { layoutOfSession, readSession } from '../../sessions/places.ts';
import { undoneText } from '../../sessions/sent.ts';
import { blobReader } from '../../undo/copies.ts';
import { differencesOf } from '../../undo/differences.ts';
import {
  type ReadPlace,
  recordsNotUndone,
  recordsOfMessage,
  type UndoPlace,
  undoingFile,
  undoingLast,
} from '../../undo/message.ts';
import { planUndo } from '../../undo/plan.ts';
import { previewOf, type UndoPreview } from '../../undo/preview.ts';
import { mergedReport, type UndoReport } from '../../undo/report.ts';
import type { UndoRequest, UndoSelection } from '../engine-port.ts';
import { hashIn } from './origin.ts';
import type { Changed } from './undo.ts';

interface OffSession {
  readonly machine: Machine;
  /** Absolute real path. */
  readonly workspace: string;
  readonly id: string;
  /** The folder with the copies outside of the workspace. */
  readonly backupFolder: string;
  readonly origin: Origin;
}

export const changedBySession = (at: OffSession): Changed => ({
  plan: (selection) => planOf(at, selection),
  differences: ({ file }) => {
    const read = readIn(at);
    return read === null ? null : differencesOf(read, runSync(recordsNotUndone(read)), file);
  },
  undo: (request) => undoSession(at, request),
});

interface OffState extends ReadPlace {
  readonly state: ConversationState;
}

/** The state of a session; `null` if it is gone. Throws the error of opening it. */
function readIn({ machine: { fs }, workspace, id, backupFolder }: OffSession): OffState | null {
  const state = readSession(fs, workspace, id);
  if (state === null) return null;
  const layout = layoutOfSession(workspace, id);
  const where = { fs, root: backupFolder, workspace };
  const journal = { fs, file: layout.history };
  return { fs, workspace, journal, state, readBlob: blobReader(fs, layout, where) };
}

function planOf(at: OffSession, request: UndoSelection): UndoPreview | null {
  const read = readIn(at);
  if (read === null) return null;
  const { state, readBlob } = read;
  const layout = layoutOfSession(at.workspace, at.id);
  acceptOwnConversation(at.origin)(state, hashIn(at.machine.fs, layout));
  const last = state.chat.changing.findLast(({ isUndone }) => !isUndone);
  const isWhole = request.all === true || request.file !== undefined;
  const records = isWhole
    ? runSync(recordsNotUndone(read))
    : last === undefined
      ? []
      : runSync(recordsOfMessage(read, last.seq));
  const goal = aboutOf(state, isWhole ? null : messageTextIn(records, last?.seq));
  return previewOf(planUndo(records, readBlob), { goal, only: request.file }, read);
}

/** `conversation 3, its last message that changed files: "edit the greeting"`. */
function aboutOf({ chat: { name, number }, run }: ConversationState, said: string | null): string {
  const which = `conversation ${number ?? run}${name === null ? '' : ` (${name})`}`;
  return said === null ? which : `${which}, its last message that changed files: "${said}"`;
}

function messageTextIn(records: readonly Located[], seq: number | undefined): string | null {
  const found = records.find((one) => one.seq === seq);
  if (found?.type !== 'person_said') return null;
  return typeof found.text === 'string' ? found.text : found.text.head;
}

/** Throws E_LOCKED if it is open, E_FOREIGN, and what the journal and the disk throw. */
async function undoSession(at: OffSession, request: UndoRequest): Promise<UndoReport> {
  const { machine, workspace, id, backupFolder, origin } = at;
  const { fs } = machine;
  const place = { fs, folder: workspace, isMemory: false };
  const { forceUnlock } = request;
  const silent = { emit: () => {}, runInterruptibly: RUN_WITHOUT_PAUSES, origin };
  const { context, layout, close } = await openConversation(
    { place, machine, workspace, backupFolder, forceUnlock, ...silent },
    { name: id, mustBeThere: true, goOn: false },
  );
  try {
    refuseCutOff(context.state);
    const readBlob = blobReader(fs, layout, { fs, root: backupFolder, workspace });
    const file = { fs, file: layout.history };
    const report = carryOut({ context, fs, workspace, journal: file, readBlob }, request);
    const { putBack } = context.state.chat;
    if (putBack.length > 0) context.record({ ...ASIDE, text: undoneText(putBack), by: 'command' });
    return report;
  } finally {
    settleSnapshot(context);
    close();
  }
}

function refuseCutOff({ chat: { open, undoing, number }, run }: ConversationState): void {
  if (open === null || undoing !== null) return;
  throw misuse(
    'The last message of this conversation was cut off, and what it did is not settled yet.',
    `Continue conversation ${number ?? run} first, then undo.`,
  );
}

function carryOut(place: UndoPlace, { all, file }: UndoSelection): UndoReport {
  if (file !== undefined) return runSync(undoingFile(place, file));
  const reports: UndoReport[] = [];
  do {
    const report = runSync(undoingLast(place));
    if (report === null) break;
    reports.push(report);
  } while (all);
  return mergedReport(reports);
}
