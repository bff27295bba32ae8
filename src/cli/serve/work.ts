/**
 * The process for a work file of the server. A run is started as its command line would start it, under the name in the
 * file; its questions wait for an answer from elsewhere. A conversation is held for clients of the server.
 */

import type { Engine } from '../../host/engine-port.ts';
import { errorFacts } from '../../host/error-facts.ts';
import { userResources } from '../../host/user/user-resources.ts';
import {
  claimWorkFile,
  keepUnrecorded,
  type QueuedRun,
  readQueuedRun,
  readStoredTalk,
  type StoredTalk,
} from '../../host/work-files.ts';
import { defined } from '../../lib/defined.ts';
import { misuse } from '../../lib/errors.ts';
import { discard } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { jsonText } from '../../lib/text/plain-text.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { Ask } from '../../round/permission/answer.ts';
import type { AskPlan } from '../../round/plan/plan-review.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { Message } from '../../schema/model/messages.ts';
import { HeldTalk, IDLE_MS } from '../../server/sessions/held-talk.ts';
import { listStoredSessions } from '../../sessions/places.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { talkPortFor } from './talk.ts';

interface Asked {
  readonly ask: Ask;
  readonly askPlan: AskPlan;
}

/** What was seen of the work: whether the journal got a record. */
interface Seen {
  isBegun: boolean;
}

/** After this time the question stays open, and the run continues without the permission. */
const ANSWER_MS = 24 * 60 * 60_000;

/** Resolves to the exit code of the work; does nothing if another process already works on the file. */
export async function workOnFile(file: string, context: CommandContext): Promise<number> {
  const { fs, machine } = userResources(context.terminal);
  const run = readQueuedRun(fs, file);
  const talk = run === null ? readStoredTalk(fs, file) : null;
  if (run === null && talk === null)
    throw misuse(
      `${file} does not name a run or a conversation to work on.`,
      'The server writes them.',
    );
  const { identity, clock } = machine;
  const release = claimWorkFile(fs, file, { identity, now: clock.now() });
  if (release === null) return EXIT.achieved;
  if (talk !== null) return holdTalk(talk, context).finally(release);
  return run === null ? EXIT.achieved : workOnRun(run, context, file).finally(release);
}

/** Without a journal, the run would be unknown to a server that was not there when its process ended. */
async function workOnRun(queued: QueuedRun, context: CommandContext, file: string) {
  const { engine, terminal } = context;
  const { fs } = userResources(terminal);
  const seen = { isBegun: false };
  let code: number | null = null;
  try {
    code = await carryOut(queued, context, seen);
    return code;
  } finally {
    const runs = orNull(() => engine.listRuns(queued.workspace)) ?? [];
    const isThere = queued.goal === null || runs.some(({ id }) => id === queued.run);
    const lost = { ...queued, ...(seen.isBegun ? { isGone: true as const } : {}) };
    if (code !== EXIT.interrupted) {
      if (!isThere) orNull(() => keepUnrecorded(fs, file, lost));
      discard(fs, file);
    }
  }
}

function carryOut(
  queued: QueuedRun,
  { terminal, engine, again }: CommandContext,
  seen: Seen,
): Promise<number> {
  const { clock } = terminal;
  const wait = (signal: AbortSignal) => clock.sleep(ANSWER_MS, signal).catch(() => {});
  const asked: Asked = {
    ask: (_question, signal) => wait(signal).then(() => 'none'),
    askPlan: (_question, signal) => wait(signal).then(() => ({ kind: 'none' })),
  };
  const own = {
    ...terminal,
    stdinIsTerminal: false,
    readKeys: null,
    readAllInput: () => Promise.resolve(queued.goal ?? ''),
  };
  const isBegun = engine.listRuns(queued.workspace).some(({ id }) => id === queued.run);
  return again(wordsOf(queued, isBegun), own, named(engine, queued, asked, seen));
}

/**
 * The words of a command for the run. A goal begins a new run, whatever an earlier run of the same goal
 * reached.
 */
const wordsOf = ({ goal, words, workspace }: QueuedRun, isBegun: boolean): readonly string[] => [
  ...(goal === null ? ['resume'] : ['run', '-', ...(isBegun ? [] : [longFlag(OPTIONS.again)])]),
  ...words,
  ...[longFlag(OPTIONS.workspace), workspace],
];

/** The same engine, with the run's name from the work file; a new name alone begins a run. */
const named = (engine: Engine, { run }: QueuedRun, asked: Asked, seen: Seen): Engine => ({
  ...engine,
  runGoal: (options) => {
    const emit = (event: RunEvent): void => {
      if (event.type === 'record') seen.isBegun = true;
      options.emit?.(event);
    };
    return engine.runGoal({ ...asked, ...options, emit, again: false, run });
  },
});

/** If the conversation cannot be opened, prints the reason for the server. */
async function holdTalk(stored: StoredTalk, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { session: id, messages, ...rest } = stored;
  const { fs } = userResources(terminal);
  const isThere = listStoredSessions(fs, stored.workspace).some((one) => one.id === id);
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted);
  const { port, host } = talkPortFor(context);
  const { clock } = terminal;
  const parts = { port, clock, idleMs: IDLE_MS, watched: host.watched };
  const named = isThere
    ? { session: id }
    : // Opening the session checks them.
      { session: null, id, ...defined({ messages: messages as readonly Message[] | undefined }) };
  try {
    const talk = new HeldTalk(parts, { ...rest, ...named });
    await talk.open();
    await talk.hold(interrupt.signal);
    return EXIT.achieved;
  } catch (error) {
    terminal.stdout.write(`${jsonText(errorFacts(error))}\n`);
    throw error;
  } finally {
    interrupt.dispose();
  }
}
