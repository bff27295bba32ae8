/**
 * The process of a run that the server was asked for: the command of a run, named by the wish, whose questions wait
 * for whoever answers from elsewhere.
 */

import type { Engine } from '../../host/engine-port.ts';
import { claimQueuedRun, type QueuedRun, readQueuedRun } from '../../host/queued-run.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { Ask } from '../../round/permission/answer.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';

/** Then the question stays open, and the run goes on without what it asked for. */
const ANSWER_MS = 24 * 60 * 60_000;

/** Resolves to the exit code of the run; where another process works on the wish already, nothing is done. */
export async function workOn(
  file: string,
  { terminal, engine, again }: CommandContext,
): Promise<number> {
  const { fs, machine } = userResources(terminal);
  const wish = readQueuedRun(fs, file);
  if (wish === null)
    throw new TardigradeError(
      'E_USAGE',
      `${file} does not name a run to work on.`,
      'The server writes them.',
    );
  const { identity, clock } = machine;
  const done = claimQueuedRun(fs, file, { identity, now: clock.now() });
  if (done === null) return EXIT.achieved;
  const ask: Ask = async (_question, signal) => {
    await clock.sleep(ANSWER_MS, signal).catch(() => {});
    return 'none';
  };
  try {
    const own = {
      ...{ ...terminal, stdinIsTerminal: false, readKeys: null },
      readAllInput: () => Promise.resolve(wish.goal ?? ''),
    };
    return await again(wordsOf(wish), own, named(engine, wish, ask));
  } finally {
    done();
  }
}

const wordsOf = ({ goal, words, workspace }: QueuedRun): readonly string[] => [
  ...(goal === null ? ['resume'] : ['run', '-']),
  ...words,
  ...[longFlag(OPTIONS.workspace), workspace],
];

/** The same engine, whose runs have the name of the wish. */
const named = (engine: Engine, { run }: QueuedRun, ask: Ask): Engine => ({
  ...engine,
  runGoal: (options) => engine.runGoal({ ask, ...options, run }),
});
