import { join } from 'node:path';
import type { RunResult } from '../../host/engine-port.ts';
import { adviceIn, type NextStep } from '../../lib/errors.ts';
import { given } from '../../lib/given.ts';
import type { Paused, RunState } from '../../schema/state.ts';
import { exitCodeOfResult, isResumable } from '../exit-codes.ts';
import { isLimit } from '../limits.ts';
import { commandFiles, commandFilesText } from './command-files.ts';
import type { Style, Tone } from './style.ts';
import { cut, duration, inLine, oneLine, plural } from './text.ts';
import { pauseWords, troubleLines } from './trouble.ts';
import { classesText, costText, tokensText, usageFields } from './usage.ts';

/** Pure: how a run ended, for the person and for `--json`. */
export interface Outcome {
  readonly result: RunResult;
  readonly workspace: string;
  /** The command that goes on with this run. */
  readonly resume: string;
  readonly elapsedMs: number;
}

/** At most `width` cells a line, but for the state's folder and the way back. */
export function summaryOf(outcome: Outcome, style: Style, width: number): string {
  const { result, workspace } = outcome;
  const { text, tone } = headline(result, style);
  const lines = [style.paint(tone, cut(text, width, style.glyphs.ellipsis))];
  lines.push(...particulars(result).map((line) => `  ${line}`));
  lines.push(...losses(result).map((line) => `  ${style.paint('warning', line)}`));
  const separator = ` ${style.glyphs.dot} `;
  lines.push(`  ${workDone(result.state).join(separator)}`);
  for (const words of costs(outcome)) lines.push(`  ${words.join(separator)}`);
  const files = filesWritten(result.state);
  if (files.length > 0)
    lines.push(cut(`  Files: ${files.map(oneLine).join(', ')}`, width, style.glyphs.ellipsis));
  for (const line of commandFilesText(commandFiles(result.state)))
    lines.push(cut(`  ${line}`, width, style.glyphs.ellipsis));
  lines.push(`  State: ${inLine(join(workspace, '.agent_context'))}`);
  lines.push(...nextSteps(outcome).map((step) => `  ${step}`));
  return `${lines.join('\n')}\n`;
}

function headline(result: RunResult, { glyphs }: Style): { text: string; tone: Tone } {
  const goal = oneLine(result.state.goal);
  switch (result.ending) {
    case 'achieved':
      return { text: `${glyphs.ok} Goal achieved: ${goal}`, tone: 'good' };
    case 'unverified':
      return { text: `~ Finished, but not verified: ${goal}`, tone: 'warning' };
    case 'failed':
      return { text: `${glyphs.failed} Goal failed: ${goal}`, tone: 'bad' };
    case 'already_finished': {
      const before = result.state.ended?.ending ?? 'achieved';
      return { text: `This goal is already finished (${before}): ${goal}`, tone: 'strong' };
    }
    case 'paused':
      return { text: `Paused: ${pauseWords(result, result.state.lastTurn)}`, tone: 'warning' };
    default:
      return result satisfies never;
  }
}

/** What is to be known besides the headline: how it is known, or why not. A pause says what went wrong and what to do. */
function particulars(result: RunResult): readonly string[] {
  switch (result.ending) {
    case 'achieved':
    case 'unverified':
    case 'failed':
    case 'already_finished':
      return troubleLines({ message: result.detail, hint: '' });
    case 'paused': {
      const goal = `Goal: ${oneLine(result.state.goal)}`;
      return [...troubleLines({ message: result.detail, ...nextOf(result) }), goal];
    }
    default:
      return result satisfies never;
  }
}

/** What the model insisted on taking out of a file that was there. */
const losses = ({ state }: RunResult): readonly string[] =>
  (state.ended?.lost ?? []).map(
    ({ path, drops }) => `${oneLine(path)} has lost ${oneLine(drops)}: the model insisted on it`,
  );

/** A limit that is to be raised stands in the command below, and there alone. */
export const nextOf = (paused: Paused): NextStep =>
  isLimit(paused.option) ? { hint: '' } : { hint: paused.hint ?? '', ...adviceIn(paused) };

const workDone = (state: RunState): string[] => [
  plural(state.counters.rounds, 'round'),
  plural(state.counters.turns, 'model turn'),
  `${plural(filesWritten(state).length, 'file')} written`,
  `${plural(state.counters.commands, 'command')} run`,
];

/** Tokens, model time and money are the whole run's; how long it took is of this time only. */
function costs({ result: { state }, elapsedMs }: Outcome): string[][] {
  const { usage } = state;
  const { total } = usage;
  const classes = classesText(total);
  const cost = costText(usage);
  return [
    [tokensText(total), `${duration(total.modelMs)} of model time`, `took ${duration(elapsedMs)}`],
    ...(classes === '' ? [] : [[classes]]),
    ...(cost === '' ? [] : [[`cost ${cost}`]]),
  ];
}

export function filesWritten(state: RunState): string[] {
  return Object.entries(state.files)
    .filter(([, file]) => file.written && file.hash !== null)
    .map(([path]) => path)
    .sort();
}

function nextSteps({ result, resume }: Outcome): string[] {
  if (isResumable(exitCodeOfResult(result))) return [`Resume: ${inLine(resume)}`];
  if (result.ending === 'already_finished') return ['Start over: the same command with --again'];
  if (result.ending === 'failed') return ['Try again: the same command with --again'];
  return [];
}

/** The last line of `--json`. */
export function resultLine(outcome: Outcome): { readonly [key: string]: unknown } {
  const { result } = outcome;
  const { state } = result;
  const exitCode = exitCodeOfResult(result);
  return {
    type: 'result',
    exitCode,
    ending: result.ending,
    why: result.ending === 'paused' ? result.why : null,
    detail: result.detail,
    hint: null,
    ...(result.ending === 'paused' ? given({ hint: result.hint, ...adviceIn(result) }) : {}),
    goal: state.goal,
    run: state.run,
    answer: result.answer,
    summary: result.summary ?? null,
    rounds: state.counters.rounds,
    turns: state.counters.turns,
    actions: state.counters.actions,
    files: filesWritten(state),
    lost: state.ended?.lost ?? [],
    byCommands: commandFiles(state),
    ...usageFields(state.usage),
    elapsedMs: Math.round(outcome.elapsedMs),
    workspace: outcome.workspace,
    resume: isResumable(exitCode) ? outcome.resume : null,
    error: null,
  };
}

/**
 * What stdout gets without `--json`: the answer, else what the model says of its work under one line
 * that says how the goal ended, with how that is known.
 */
export function resultText(result: RunResult): string {
  if (result.answer !== null && result.answer !== '') return `${result.answer.trimEnd()}\n`;
  const summary = (result.summary ?? '').trimEnd();
  const said = summary === '' ? '' : `${summary}\n${result.detail.trimEnd()}\n`;
  const goal = oneLine(result.state.goal);
  if (result.ending === 'achieved') return `Goal achieved: ${goal}\n${said}`;
  return result.ending === 'unverified' && said !== ''
    ? `Finished, but not verified: ${goal}\n${said}`
    : '';
}
