import { passedText } from '../../../languages/testing/test-output.ts';
import { filesRunBy, runsTests } from '../../../languages/testing/test-runs.ts';
import { visible } from '../../../lib/text/visible.ts';
import type { RunResult } from '../../../run/result.ts';
import { commandFiles } from '../../../run/stream/changed-files.ts';
import type { ActionFacts } from '../../../schema/actions.ts';
import { isWithheld } from '../../../schema/journal/swap.ts';
import { subtasksOf } from '../../../schema/plan.ts';
import type { RunState } from '../../../schema/state.ts';
import { turnsIn } from '../../../schema/state-parts/children.ts';
import { nothingShows, notVerified } from '../../../schema/state-parts/not-verified.ts';
import { isLeftUntried } from '../../../schema/state-parts/untried.ts';
import { classesText, costText, modelRows, tokensText } from '../../../shown/costs.ts';
import { notDoneBeside, rulesForNotDone } from '../../../steps/gate/not-done.ts';
import { describeStep } from '../records/describe.ts';
import { fill, foldToWidth } from '../text/fold.ts';
import { type Row, rowLines } from '../text/rows.ts';
import type { Style, Tone } from '../text/style.ts';
import { cut, duration, inLine, oneLine, plural } from '../text/text.ts';
import { cautionOf, placeRows } from './answer-sources.ts';
import { type FilesOfRun, fileLines, type PatchSummary, rowForCommand } from './file-rows.ts';
import { pauseHead, pauseLines } from './pause.ts';
import { finishedText, isNoLongerProved, repeatedRows } from './repeated.ts';

/** Pure: how a run ended, for the person at the terminal. */
export interface EndedRun extends FilesOfRun {
  readonly agent: string;
  readonly workspace: string;
  /** The command that continues this run. */
  readonly resume: string;
  readonly undo: string;
  /** The command that shows what it changed. */
  readonly diff: string;
  /** How to start its goal over. */
  readonly again: Row;
  readonly elapsedMs: number;
  /** What the proof printed when it passed; '' if unknown. */
  readonly printed: string;
  /** The test counts of the proof's whole output, if it shows any. */
  readonly tests?: ActionFacts['tests'] | undefined;
}

/** One line that says how it ended; for a goal without an answer stdout gets nothing else. */
export function headline({ result, elapsedMs, ...proved }: EndedRun, style: Style): Head {
  const { glyphs } = style;
  switch (result.ending) {
    case 'achieved': {
      const proof = proofWords(result.state, proved);
      const how = proof === '' ? '' : ` ${glyphs.dot === '-' ? '-' : '\u2014'} proved: ${proof}`;
      return { mark: glyphs.ok, text: `Done in ${duration(elapsedMs)}${how}`, tone: 'good' };
    }
    case 'answered':
      return { mark: '', text: `Answered in ${duration(elapsedMs)}`, tone: 'strong' };
    case 'unverified':
      return {
        mark: '~',
        text: `Finished in ${duration(elapsedMs)}, but not verified`,
        tone: 'warning',
      };
    case 'failed':
      return {
        mark: glyphs.failed,
        text: `Goal failed after ${duration(elapsedMs)}`,
        tone: 'bad',
      };
    case 'already_finished':
      return isNoLongerProved(result)
        ? { mark: '~', text: finishedText(result), tone: 'warning' }
        : { mark: '', text: finishedText(result), tone: 'strong' };
    case 'paused':
      return {
        mark: '',
        text: pauseHead(result, result.state.lastTurn),
        tone: 'warning',
      };
    default:
      return result satisfies never;
  }
}

interface Head {
  /** Shown in front of the text if a person reads it; '' for none. */
  readonly mark: string;
  readonly text: string;
  readonly tone: Tone;
}

/** `python -m pytest -q (2 passed)`; '' if no command proved it. */
function proofWords(
  { plan, proof }: RunState,
  proved: Pick<EndedRun, 'printed' | 'tests'>,
): string {
  if (!plan?.proof || proof?.passed !== true) return '';
  const words = informativeLine(proved);
  return `${oneLine(plan.proof.cmd)}${words === '' ? '' : ` (${words})`}`;
}

const LONGEST_TOLD = 60;

/** The number of tests that passed according to a test runner; else a last line that is short enough. */
function informativeLine({ printed, tests }: Pick<EndedRun, 'printed' | 'tests'>): string {
  const last = printed.split('\n').map(oneLine).filter(Boolean).at(-1) ?? '';
  return passedText(printed, tests) || (last.length > LONGEST_TOLD ? '' : last);
}

/** @param hasHead false if the headline is already on stdout, on the same screen */
export function summaryOf(outcome: EndedRun, style: Style, width: number, hasHead = true): string {
  const lines = [
    ...(hasHead ? [foldToWidth(headLine(outcome, style), width)] : []),
    ...particularsOf(outcome, style, width),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export function headLine(outcome: EndedRun, style: Style): string {
  const { mark, text, tone } = headline(outcome, style);
  return style.paint(tone, mark === '' ? text : `${mark} ${text}`);
}

/** Everything but the headline. Nothing that a person needs is cut. */
function particularsOf(outcome: EndedRun, style: Style, width: number): readonly string[] {
  const { result } = outcome;
  const { state } = result;
  const folded = (text: string): readonly string[] =>
    fill(text, width - 2).map((line) => `  ${line}`);
  if (result.ending === 'paused') {
    return [
      ...fileLines(outcome, style, width),
      ...[...notDoneRows(result), ...undoRows(outcome)].flatMap((row) => rowLines(row, width)),
      ...pauseLines(result, { ...outcome, goal: state.goal }, width),
    ];
  }
  const sources = result.ending === 'answered' ? state.verdict?.answer : undefined;
  const detail = sources === undefined ? endingDetail(result) : cautionOf(sources);
  return [
    ...(sources === undefined ? [] : placeRows(sources).flatMap((row) => rowLines(row, width))),
    ...(detail === '' ? [] : folded(detail)),
    ...losses(result).flatMap((line) => folded(style.paint('warning', line))),
    ...fileLines(outcome, style, width),
    ...notDoneRows(result).flatMap((row) => rowLines(row, width)),
    ...restRows(outcome, style).flatMap((row) => rowLines(row, width)),
  ];
}

/** What was refused and is not done, unless the ending already says so. */
export function notDoneRows({ state, detail, ending }: RunResult): readonly Row[] {
  const left = ending === 'already_finished' ? '' : notDoneBeside(state, detail);
  return left === '' ? [] : [{ name: 'not done', words: oneLine(left) }];
}

/** What the headline does not say yet. */
export function endingDetail(result: RunResult): string {
  if (result.ending === 'already_finished') return '';
  // A model's own text may depend on its blanks.
  if (result.ending === 'failed') return inLine(result.detail).trim();
  const detail = oneLine(result.detail);
  const said = `proof passed: ${oneLine(result.state.plan?.proof?.cmd ?? '')}`;
  if (result.ending === 'unverified') return inWords(result.state, detail);
  if (result.ending !== 'achieved' || !detail.startsWith(said)) return detail;
  const rest = detail.slice(said.length).replace(/^(?: \([^()]*\))?(?:[;,] (?:and )?)?/, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

const LONGEST_STEP = 60;

/** The person saw the plan without subtask numbers, so the numbers are replaced. */
function inWords({ plan }: RunState, detail: string): string {
  const left = plan ? subtasksOf(plan).filter(({ status }) => status === 'unverified') : [];
  if (detail !== notVerified(left.map(({ id }) => id))) return detail;
  return nothingShows(left.map((one) => cut(describeStep(one), LONGEST_STEP)).join('; '));
}

/** What the model insisted on removing from a file that existed before. */
const losses = ({ state }: RunResult): readonly string[] =>
  (state.ended?.lost ?? []).map(
    ({ path, drops }) => `${visible(path)} has lost ${oneLine(drops)}: the model insisted on it`,
  );

function restRows(outcome: EndedRun, { glyphs }: Style): readonly Row[] {
  const { result, again, patches } = outcome;
  const { state, ending } = result;
  if (ending === 'already_finished') return repeatedRows(result, outcome);
  const command = ending === 'failed' || isWithheld(state) ? null : toTry(state, patches);
  const { needs } = state.ended ?? {};
  return [
    ...(needs === undefined ? [] : [{ name: 'needs', words: oneLine(needs) }]),
    ...(command === null ? [] : [rowForCommand('try', command)]),
    ...undoRows(outcome),
    ...(isLeftUntried(state) ? [rowForCommand('resume', outcome.resume)] : []),
    ...(ending === 'failed' || rulesForNotDone(state).length > 0 ? [again] : []),
    { name: 'used', words: usedWords(state).join(` ${glyphs.dot} `) },
    ...modelRows(state.usage),
  ];
}

/** The rows about an undo. For files that changed while nobody watched, an undo only says what they held. */
function undoRows({ result: { state }, undo, patches }: EndedRun): readonly Row[] {
  const isNothing = patches.length === 0 && commandFiles(state).unseen.length === 0;
  return isNothing || isWithheld(state) ? [] : [rowForCommand('undo', undo)];
}

/** The last command that ran a file of this run, or the proof if it does. */
function toTry({ commands, plan }: RunState, patches: readonly PatchSummary[]): string | null {
  const proof = plan?.proof?.cmd ?? null;
  const made = patches.filter(({ kind }) => kind !== 'removed').map(({ path }) => path);
  const fits = (cmd: string): boolean =>
    !runsTests(cmd) && filesRunBy(cmd.trim().split(/\s+/)).some((path) => made.includes(path));
  const ran = commands.findLast(({ cmd, status }) => status === 'ok' && fits(cmd));
  return ran?.cmd ?? (proof !== null && fits(proof) ? proof : null);
}

function usedWords(state: RunState): readonly string[] {
  const { usage } = state;
  const cost = costText(usage);
  const classes = classesText(usage.total);
  return [
    plural(turnsIn(state), 'model turn'),
    tokensText(usage.total),
    ...[classes, cost].filter((words) => words !== ''),
  ];
}
