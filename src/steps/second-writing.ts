/**
 * A small model writes tests of its own code, and what it has wrong in the one it has wrong in the
 * other. Before such tests count, each file of its code is asked for once more, apart from the first:
 * where the two do not do the same, nobody knows which of them is right. Pure.
 */
import { belongsToTests, languageOf } from '../languages/languages.ts';
import { runsTests } from '../languages/test-runs.ts';
import { own } from '../lib/own.ts';
import type { KnownFile } from '../schema/run-facts.ts';
import type { RunState } from '../schema/state.ts';
import type { DrivingSteps } from './driver.ts';
import type { Step } from './step.ts';
import { unfinishedTurnStep } from './unfinished-turn.ts';

/** More files than these are not asked for: what is proved by own tests alone stays unverified then. */
const MOST_FILES = 3;
/** As warm as after one refused answer: it is to be another one, and a small model writes nonsense above. */
const WARM = 1;

/** `null` where nothing is left to be written a second time. */
export function secondWritingStep(state: RunState, driver: DrivingSteps): Step | null {
  if (state.lastTurn?.purpose === 'second_writing') return unfinishedTurnStep(state, driver);
  if (!driver.writesTwice) return null;
  const [file] = filesToWriteAgain(state).filter((path) => !isWrittenAgain(state, path));
  if (file === undefined) return null;
  return {
    do: 'ask',
    question: { kind: 'content', file, isSecond: true },
    cause: isSaid(state) ? null : 'second_writing',
    tries: WARM,
  };
}

/** The question that the conversation ends with is not answered yet. */
function isSaid({ conversation, guided: { secondWritings = {} } }: RunState): boolean {
  const last = conversation.at(-1);
  const answered = Math.max(0, ...Object.values(secondWritings).map(({ seq }) => seq));
  return last?.cause === 'second_writing' && last.seq > answered;
}

/** Files of code that this run made, where its own tests are a part of what would prove them. */
export function filesToWriteAgain(state: RunState): readonly string[] {
  if (!restsOnOwnTests(state)) return [];
  const files = Object.entries(state.files).filter(([path, known]) => isOwnCode(path, known));
  return files.length > MOST_FILES ? [] : files.map(([path]) => path).sort();
}

function restsOnOwnTests({ plan, proof, files }: RunState): boolean {
  const isProved = proof?.passed === true && runsTests(plan?.proof?.cmd ?? '');
  const isOwn = ([path, { written, hash, given }]: [string, KnownFile]): boolean =>
    written && hash !== null && hash !== given && belongsToTests(path);
  return isProved && Object.entries(files).some(isOwn);
}

const isOwnCode = (path: string, { written, hash, given, defines }: KnownFile): boolean =>
  written &&
  hash !== null &&
  given === null &&
  defines.length > 0 &&
  !belongsToTests(path) &&
  languageOf(path).emptied !== undefined;

/** Of the file as it is now. */
function isWrittenAgain({ files, guided }: RunState, path: string): boolean {
  const written = own(guided.secondWritings ?? {}, path);
  return written?.of === own(files, path)?.hash && written?.isNoCode !== true;
}
