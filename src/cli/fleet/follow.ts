/** `agent attach RUN` for a fleet: shows the journal of a run as it grows, whichever worker writes it. */

import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import type { FleetRequest, Slice } from '../../fleet/contract.ts';
import { replayEvents } from '../../host/library/replay.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { layoutOf } from '../../journal/layout.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT, EXIT_OF_ERROR, EXIT_OF_PAUSE } from '../../run/exit-codes.ts';
import { createNarrator } from '../../run/stream/narrator.ts';
import { errorBody, type ResultBody } from '../../run/stream/result-body.ts';
import type { CommandContext } from '../command-context.ts';
import { wantsJson } from '../commands/print.ts';
import { JournalTail, journalPath } from '../journal-tail.ts';
import { jsonLine } from '../json-line.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { askedCallLine } from '../questions/selected-call.ts';
import { historyWords } from '../render/records/history-words.ts';
import { printFolded } from '../render/text/fold.ts';
import { addressOf } from './engine.ts';
import { knownRun } from './person.ts';

const LOOK_MS = 500;

/** Resolves to the exit code of the run once it ends or waits. */
export async function followInFleet(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { engine, standing } = await knownRun(context);
  const { run } = standing.request;
  const shown = shownRun(context, standing.request);
  const leave = listenForInterrupt(terminal, EXIT.achieved, {
    onFirst: () => printFolded(terminal.stderr, 'You left; the run continues.\n'),
  });
  try {
    for (;;) {
      const now = await engine.standing(run);
      shown.look();
      if (leave.signal.aborted) {
        const left = { code: 'E_INTERRUPTED', message: 'You left; the run continues.', hint: '' };
        shown.end('', errorBody({ ...left, exitCode: EXIT.achieved }, null));
        return EXIT.achieved;
      }
      const isStopped = now?.isStopped === true;
      const slice = now?.slice ?? null;
      const code = isStopped ? EXIT.interrupted : exitCodeOf(slice);
      if (code !== null) {
        const text = isStopped ? 'It was stopped.' : sliceText(slice);
        const next = code === EXIT.person ? answerHint(context, run) : '';
        shown.end(`${text}\n${next}`, bodyOf(code, isStopped ? null : slice));
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
  return slice?.is === 'pausing' && slice.retryAfterMs === undefined ? codeOf(slice.why) : null;
}

const PAUSES: { readonly [why: string]: number | undefined } = EXIT_OF_PAUSE;
const ERRORS: { readonly [code: string]: number | undefined } = EXIT_OF_ERROR;

/**
 * The exit code of a slice: it pauses for the reason of its run, or for the error that kept it from
 * beginning.
 */
const codeOf = (why: string): number => PAUSES[why] ?? ERRORS[why] ?? EXIT.stalled;

/**
 * The last event.
 * @param slice `null`: a person stopped the run
 */
function bodyOf(exitCode: number, slice: Slice | null): ResultBody {
  if (slice?.is === 'ended') {
    const ending = ENDINGS.find((one) => one === slice.ending) ?? 'already_finished';
    return { ...PLAIN, exitCode, ending };
  }
  if (slice?.is !== 'pausing') {
    const why = slice === null ? 'interrupted' : 'waiting_for_person';
    return { ...PLAIN, exitCode, ending: 'paused', why };
  }
  const { why, detail } = slice;
  return ERRORS[why] === undefined
    ? { ...PLAIN, exitCode, ending: 'paused', why, detail }
    : errorBody({ exitCode, code: why, message: detail, hint: '' }, null);
}

const PLAIN = { type: 'result', resume: null, error: null } as const;
const ENDINGS = ['achieved', 'answered', 'unverified', 'failed'] as const;

/** Where a run stands, in one line. */
function sliceText(slice: Slice | null): string {
  if (slice === null) return 'It waits for a worker.';
  switch (slice.is) {
    case 'going_on':
      return 'It is running.';
    case 'ended':
      return `It ended: ${slice.ending}.`;
    case 'waiting':
      return `It waits for an answer: ${slice.questions.map(askedCallLine).join(', ')}`;
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

interface ShownRun {
  /** Shows what was added to the journal. */
  look(): void;
  /**
   * @param text for people
   * @param body the last event
   */
  end(text: string, body: ResultBody): void;
}

/** Shows a run by its folder, or by the engine's reports if this machine does not have the folder. */
const shownRun = (context: CommandContext, request: FleetRequest): ShownRun =>
  wantsJson(context) ? inEvents(context, request) : inWords(context, request);

function inWords({ terminal }: CommandContext, { run, workspace }: FleetRequest): ShownRun {
  const tail = new JournalTail(journalPath(workspace));
  let isItsOwn = false;
  return {
    look() {
      for (const { record } of tail.read()) {
        // Until the run begins, the folder holds the journal of the previous run.
        if (record?.type === 'run_opened') isItsOwn = record.run === run;
        const line = record === null || !isItsOwn ? null : historyWords(record);
        if (line !== null) printFolded(terminal.stdout, `${line}\n`);
      }
    },
    end: (text) => printFolded(terminal.stderr, text),
  };
}

function inEvents({ terminal }: CommandContext, request: FleetRequest): ShownRun {
  const { run, workspace, goal } = request;
  const { fs } = userResources(terminal).machine;
  const tail = new JournalTail(journalPath(workspace));
  const narrator = createNarrator({ run, workspace, goal }, (event) =>
    terminal.stdout.write(jsonLine(event)),
  );
  let shown = 0;
  return {
    look() {
      if (tail.read().length === 0) return;
      // An event needs the state before its record, so the journal is folded again from its beginning.
      let at = 0;
      for (const event of replayEvents(layoutOf(workspace), fs, RUN_FORMAT)) {
        if (event.state.run !== run || ++at <= shown) continue;
        shown = at;
        narrator.emit(event);
        const { state } = event;
        if (state.settings !== null)
          narrator.emit({ type: 'begun', state, number: null, isResumed: false });
      }
    },
    end(text, body) {
      narrator.end(body);
      printFolded(terminal.stderr, text);
    },
  };
}
