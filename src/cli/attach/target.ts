/** Decides which work of another process a command line means, and explains why it cannot be followed. */

import { type RunStatusKind, statusOf } from '../../host/journals/run-status.ts';
import type { LiveNote, LivePort, NoChannel } from '../../host/live/live-port.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import type { RunState } from '../../schema/state.ts';
import { listStoredSessions, type SessionListing } from '../../sessions/places.ts';
import { selectedConversation } from '../chat/off.ts';
import type { CommandContext } from '../command-context.ts';
import { inPlace, sameWorkCommand } from '../command-line/resume-command.ts';
import { AGENT, CommandError, commandToPaste, usageError } from '../process/program-name.ts';
import { oneLine } from '../render/text/text.ts';
import { selectedRun } from '../selected-run.ts';

/** The work to follow. */
export interface AttachTarget {
  /** `run 3`, `conversation 4`. */
  readonly name: string;
  readonly isChat: boolean;
  readonly note: LiveNote;
  /** The command that continues it. */
  readonly resume: string;
  readonly number: number | null;
}

/** Throws E_USAGE, E_FOREIGN. */
export function attachTarget(context: CommandContext, live: LivePort): AttachTarget {
  const { workspace, runNumber } = context.invocation;
  const notes = live.at(workspace);
  const [only] = notes;
  if (runNumber === null && notes.length > 1) throw tooMany(context, notes);
  const session = selectedSession(context, runNumber === null ? only : undefined);
  if (session !== null) return conversationIn(context, session, notes);
  return runIn(context, notes, runNumber === null ? only : undefined);
}

function selectedSession(
  context: CommandContext,
  only: LiveNote | undefined,
): Pick<SessionListing, 'id' | 'number'> | null {
  if (only === undefined) return selectedConversation(context);
  const { workspace } = context.invocation;
  const isRun = context.engine.listRuns(workspace).some(({ id }) => id === only.run);
  if (isRun) return null;
  const all = listStoredSessions(nodeFileSystem, workspace);
  return all.find(({ id }) => id === only.run) ?? { id: only.run, number: null };
}

function tooMany(context: CommandContext, notes: readonly LiveNote[]): TardigradeError {
  const { workspace } = context.invocation;
  const all = [
    ...context.engine.listRuns(workspace),
    ...listStoredSessions(nodeFileSystem, workspace),
  ];
  const names = notes.map(({ run }) => {
    const number = all.find(({ id }) => id === run)?.number;
    return number == null ? run : `${context.terminal.program} attach ${number}`;
  });
  return misuse('More than one process works in this folder.', `Name one: ${names.join(', ')}`);
}

function conversationIn(
  context: CommandContext,
  { id, number }: Pick<SessionListing, 'id' | 'number'>,
  notes: readonly LiveNote[],
): AttachTarget {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const name = number === null ? 'the conversation' : `conversation ${number}`;
  const words = ['chat', '--session', String(number ?? id), ...inPlace(context.invocation)];
  const resume = commandToPaste(terminal, words);
  const note = notes.find(({ run }) => run === id);
  if (note !== undefined) return listening({ name, isChat: true, note, resume, number });
  const owner = engine.lockOwner(workspace, id);
  if (owner?.isAlive) throw deaf(name, owner.pid);
  throw misuse(`Nobody has ${name} open.`, `Continue it: ${resume}`);
}

function runIn(
  context: CommandContext,
  notes: readonly LiveNote[],
  only: LiveNote | undefined,
): AttachTarget {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const run = selectedRun(context);
  const belief = engine.beliefIn(workspace, run?.id);
  if (belief.kind === 'none')
    throw usageError('There is no run in this folder.', `Begin one: ${AGENT} "GOAL"`);
  if (belief.kind === 'foreign') throw engine.foreignRun(workspace, false, run?.id);
  const { state } = belief;
  const listed = engine.listRuns(workspace).find(({ id }) => id === state.run);
  const number = listed?.number ?? null;
  const name = number === null ? 'the run' : `run ${number}`;
  const isOther = listed?.isCurrent === false;
  const meant = { ...invocation, runNumber: isOther ? number : null };
  const resume = sameWorkCommand('resume', meant, terminal);
  const note = only ?? notes.find((one) => one.run === state.run);
  if (note !== undefined) return listening({ name, isChat: false, note, resume, number });
  const owner = isOther ? null : engine.lockOwner(workspace);
  const standing = statusOf(state, owner);
  if (standing === 'running') throw deaf(name, owner?.pid ?? 0);
  throw notAtWork(context, { name, number, resume }, standing, state);
}

function listening(meant: AttachTarget): AttachTarget {
  const { name, note } = meant;
  if (note.address !== null) return meant;
  throw usageError(
    `Process ${note.pid} works on ${name} and cannot be followed: ${note.why}`,
    `See ${AGENT} doctor.`,
  );
}

const deaf = (name: string, pid: number): TardigradeError =>
  usageError(
    `Process ${pid} works on ${name} and does not listen.`,
    `It listens once its first request is on its way; a run begun by a program listens only if told to. See how far it is: ${AGENT} status`,
  );

function notAtWork(
  { invocation, terminal }: CommandContext,
  { name, number, resume }: Pick<AttachTarget, 'name' | 'number' | 'resume'>,
  standing: Exclude<RunStatusKind, 'running'>,
  { paused, ended }: RunState,
): TardigradeError {
  const toRun = (verb: string): string =>
    sameWorkCommand(verb, { ...invocation, runNumber: number }, terminal);
  const idle = (why: string, next = `Continue it: ${resume}`): TardigradeError =>
    misuse(`Nobody works on ${name}: ${why}.`, next);
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  switch (standing) {
    case 'killed':
      return idle('its process is gone');
    case 'paused':
      return idle(`it is paused${detailOf(paused?.detail)}`);
    case 'undoing':
      return idle('its undo was cut off', `Finish it: ${toRun('undo')}`);
    default:
      return misuse(
        `${capital} has ended: ${standing}${detailOf(ended?.detail)}.`,
        `See how it ended: ${toRun('status')}`,
      );
  }
}

const detailOf = (detail: string | undefined): string => {
  const said = oneLine(detail ?? '').replace(/\.$/, '');
  return said === '' ? '' : `, ${said}`;
};

export function noChannel(why: NoChannel, { name, note, resume }: AttachTarget): TardigradeError {
  switch (why) {
    case 'gone':
      return misuse(
        `Process ${note.pid}, which worked on ${name}, is gone.`,
        `Continue it: ${resume}`,
      );
    case 'unproved':
      return new CommandError(
        'E_FOREIGN',
        `The process that listens for ${name} is not your agent.`,
        `Nothing was sent to it. ${AGENT} doctor says whether your own key can be read.`,
      );
    case 'other_version':
      return usageError(
        `Process ${note.pid} works on ${name} with another version of this program.`,
        `Follow it with that version; ${AGENT} approve and ${AGENT} deny answer it too.`,
      );
    case 'silent':
      return misuse(
        `Process ${note.pid} works on ${name} and does not answer.`,
        'Try again in a moment.',
      );
    default:
      return why satisfies never;
  }
}
