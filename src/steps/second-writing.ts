/**
 * A small model writes tests of its own code, and what it has wrong in the one it has wrong in the
 * other. Before such tests count, each file of its code is asked for once more, apart from the first:
 * where the two do not do the same, nobody knows which of them is right. Pure.
 */
import { belongsToTests, languageOf } from '../languages/languages.ts';
import { runsTests } from '../languages/test-runs.ts';
import { own } from '../lib/own.ts';
import { traitsOf } from '../schema/driver.ts';
import type { KnownFile } from '../schema/run-facts.ts';
import type { RunState } from '../schema/state.ts';
import type { DrivingSteps } from './driver.ts';
import type { Step } from './step.ts';
import { unfinishedTurnStep } from './unfinished-turn.ts';

/** More files than these are not asked for: what is proved by own tests alone stays unverified then. */
const MOST_FILES = 3;
/** Refused answers so often would be asked for as warm: it is to be another one. */
const WARM = 2;

/** `null` where nothing is left to be written a second time. */
export function secondWritingStep(state: RunState, driver: DrivingSteps): Step | null {
  if (state.lastTurn?.purpose === 'second_writing') return unfinishedTurnStep(state, driver);
  const [file] = filesToWriteAgain(state).filter((path) => !isWrittenAgain(state, path));
  if (file === undefined) return null;
  const isSaid = state.conversation.at(-1)?.cause === 'second_writing';
  return {
    do: 'ask',
    question: { kind: 'content', file, isSecond: true },
    cause: isSaid ? null : 'second_writing',
    tries: WARM,
  };
}

/** Files of code that this run made, where its own tests are a part of what would prove them. */
export function filesToWriteAgain(state: RunState): readonly string[] {
  if (!restsOnOwnTests(state)) return [];
  const files = Object.entries(state.files).filter(([path, known]) => isOwnCode(path, known));
  return files.length > MOST_FILES ? [] : files.map(([path]) => path).sort();
}

function restsOnOwnTests({ plan, proof, files, settings }: RunState): boolean {
  const isProved = proof?.passed === true && runsTests(plan?.proof?.cmd ?? '');
  const isOwn = ([path, { written, hash, given }]: [string, KnownFile]): boolean =>
    written && hash !== null && hash !== given && belongsToTests(path);
  return traitsOf(settings).writesTwice && isProved && Object.entries(files).some(isOwn);
}

const isOwnCode = (path: string, { written, hash, given, defines }: KnownFile): boolean =>
  written &&
  hash !== null &&
  given === null &&
  defines.length > 0 &&
  !belongsToTests(path) &&
  languageOf(path).emptied !== undefined;

/** Of the file as it is now. */
const isWrittenAgain = ({ files, secondWritings }: RunState, path: string): boolean =>
  own(secondWritings ?? {}, path)?.of === own(files, path)?.hash;
