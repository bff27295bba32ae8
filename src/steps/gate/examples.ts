/** Finds the brief's literal examples that can be tried on files the run has written. Pure. */
import type { Installed } from '../../languages/language.ts';
import { isTestPath, LANGUAGES, languageOf } from '../../languages/languages.ts';
import type { BriefExample } from '../../schema/model/brief.ts';
import type { RunState } from '../../schema/state.ts';
import type { KnownFile } from '../../schema/state-parts/run-facts.ts';
import { isLastSubtask } from '../select.ts';

/** Empty, because installed programs decide how a file is run, not whether it can be. */
const NOTHING: Installed = new Set();

export interface DueExample {
  readonly example: BriefExample;
  /** The file that exports the function, or the program that is called or gets the input. */
  readonly file: string;
  /** For a program call: all words if they name the interpreter, otherwise the words after its file. */
  readonly words?: readonly string[];
  readonly isWhole?: boolean;
}

/** Examples are due with the last subtask; earlier, the files that they need may be missing. */
export const dueExamples = (state: RunState): readonly DueExample[] =>
  isLastSubtask(state) ? examplesOn(state) : [];

export const examplesOn = (state: RunState): readonly DueExample[] =>
  literalExamples(state).flatMap((example) => triedOn(state, example));

/** Only literal examples are evidence. */
export const literalExamples = ({ brief }: RunState): readonly BriefExample[] =>
  (brief?.examples ?? []).filter(({ literal, gives }) => literal && gives !== undefined);

function triedOn(state: RunState, example: BriefExample): readonly DueExample[] {
  const { input } = example;
  switch (input.how) {
    case 'call':
      return on(offering(state, input.name), example);
    case 'stdin':
      return on(askingOnce(state), example);
    case 'argv':
      return called(state, example, input.argv);
    default:
      return input satisfies never;
  }
}

const on = (file: string | null, example: BriefExample): readonly DueExample[] =>
  file === null ? [] : [{ example, file }];

/** Reads the words as an interpreter with its file, or as the file alone. */
function called(
  { files }: RunState,
  example: BriefExample,
  argv: readonly string[],
): readonly DueExample[] {
  const isProgram = (path: string): boolean =>
    (files[path]?.hash ?? null) !== null &&
    !isTestPath(path) &&
    languageOf(path).runs?.run(path, NOTHING) != null;
  if (argv.some((word) => /["'\\]/.test(word))) return [];
  const [first = '', ...rest] = argv;
  if (isProgram(first)) return [{ example, file: first, words: rest }];
  const run = LANGUAGES.flatMap(({ runs }) => runs?.filesRunBy?.(argv) ?? []).find(isProgram);
  return run === undefined ? [] : [{ example, file: run, words: argv, isWhole: true }];
}

/** The single file that exports the name. With two it would be unclear which one is meant. */
function offering(state: RunState, name: string): string | null {
  return onlyOne(
    state,
    (path, { defines }) =>
      defines.some((signature) => signature.startsWith(`${name}(`)) &&
      languageOf(path).runs?.evaluates?.(path) != null,
  );
}

const askingOnce = (state: RunState): string | null =>
  onlyOne(
    state,
    (path, { prompts, written }) =>
      written && prompts.length === 1 && languageOf(path).runs?.run(path, NOTHING) != null,
  );

function onlyOne(
  { files }: RunState,
  fits: (path: string, known: KnownFile) => boolean,
): string | null {
  const found = Object.entries(files).filter(
    ([path, known]) => known.hash !== null && !isTestPath(path) && fits(path, known),
  );
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}
