/** `agent attach RUN` for a fleet: shows the journal of a run as it grows, whichever worker writes it. */
import type { Slice } from '../../fleet/contract.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { JournalTail, journalPath } from '../journal-tail.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { historyWords } from '../render/records/history-words.ts';
import { printFolded } from '../render/text/fold.ts';
import { addressOf } from './engine.ts';
import { knownRun, lineOf } from './person.ts';

const LOOK_MS = 500;

/** Resolves to the exit code of the run once it ends or waits. */
export async function followInFleet(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { engine, standing } = await knownRun(context);
  const { run } = standing.request;
  // If this machine does not have the folder, only the engine can report.
  const tail = new JournalTail(journalPath(standing.request.workspace));
  let isItsOwn = false;
  const leave = listenForInterrupt(terminal, EXIT.achieved, {
    onFirst: () => printFolded(terminal.stderr, 'You left; the run continues.\n'),
  });
  try {
    for (;;) {
      const now = await engine.standing(run);
      for (const { record } of tail.read()) {
        // Until the run begins, the folder holds the journal of the previous run.
        if (record?.type === 'run_opened') isItsOwn = record.run === run;
        const line = record === null || !isItsOwn ? null : historyWords(record);
        if (line !== null) printFolded(terminal.stdout, `${line}\n`);
      }
      if (leave.signal.aborted) return EXIT.achieved;
      const code = now?.isStopped === true ? EXIT.interrupted : exitCodeOf(now?.slice ?? null);
      if (code !== null) {
        const text = now?.isStopped === true ? 'It was stopped.' : sliceText(now?.slice ?? null);
        const next = code === EXIT.person ? answerHint(context, run) : '';
        printFolded(terminal.stderr, `${text}\n${next}`);
        return code;
      }
      await terminal.clock.sleep(LOOK_MS, leave.signal).catch(() => {});
    }
  } finally {
    leave.dispose();
  }
}

const answerHint = (context: CommandContext, run: string): string => {
  const words = [run, longFlag(OPTIONS.fleet), addressOf(context)].join(' ');
  const { program } = context.terminal;
  return `  Answer: ${program} approve ${words}  (or ${program} deny ${words})\n`;
};

/** `null`: it continues by itself. */
function exitCodeOf(slice: Slice | null): number | null {
  if (slice?.is === 'ended') return slice.exitCode;
  if (slice?.is === 'waiting') return EXIT.person;
  return slice?.is === 'pausing' && slice.retryAfterMs === undefined ? EXIT.stalled : null;
}

/** Where a run stands, in one line. */
function sliceText(slice: Slice | null): string {
  if (slice === null) return 'It waits for a worker.';
  switch (slice.is) {
    case 'going_on':
      return 'It is running.';
    case 'ended':
      return `It ended: ${slice.ending}.`;
    case 'waiting':
      return `It waits for an answer: ${slice.questions.map(lineOf).join(', ')}`;
    case 'pausing':
      return slice.retryAfterMs === undefined
        ? `It is paused: ${[slice.why, slice.detail].filter(Boolean).join(', ')}`
        : `It continues in ${Math.ceil(slice.retryAfterMs / 1000)} s: ${slice.why}`;
    case 'busy':
      return `It waits: ${slice.why}`;
    default:
      return slice satisfies never;
  }
}
