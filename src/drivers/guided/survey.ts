/**
 * A small model plans from what it is shown. So before a plan the engine reads the files that matter for it,
 * and runs the existing tests: whether they fail is a fact, whatever the goal is.
 */
import { charsPerToken } from '../../context-manager/prompt-size.ts';
import { filesThatMatter, isNamedInGoal } from '../../probe/files-that-matter.ts';
import { type FileHead, headsText, WHY_NOT_SHOWN } from '../../prompts/survey.ts';
import type { MessageCause } from '../../schema/model/message-cause.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import type { Step } from '../../steps/step.ts';
import type { DriverView } from '../driver.ts';
import { withheldBecause } from './file-excerpts.ts';

/**
 * Names, heads and failures together get this share of the window, beyond the form of a plan and its first steps: a
 * conversation that is shortened never loses the question.
 */
const SHARE = 0.2;
const TAKEN = 2048;
const MAX_FILES = 500;
/** A file that the goal does not name is shown whole up to this size, else its first lines. */
const MAX_WHOLE = 1500;
const MAX_HEAD = 800;
const MAX_LINES = 20;
const LONGEST_LINE = 200;
/** With fewer characters, nothing useful of a file is visible. */
const MIN_HEAD = 120;

const ASKED: ReadonlySet<MessageCause | null> = new Set([
  'plan_question',
  'plan_refused',
  'replan_question',
]);

/** Once for each plan, before its question. */
export function surveyStep({ testsBeforePlan, counters, conversation }: RunState): Step | null {
  const isAsked = ASKED.has(conversation.at(-1)?.cause ?? null);
  if (isAsked || testsBeforePlan?.replans === counters.replans) return null;
  return { do: 'look' };
}

/** '' for a folder in which nothing matters. */
export function surveyText(view: DriverView): string {
  const { state, world } = view;
  const files = world.files(MAX_FILES);
  const tokens = Math.max(0, settingsOf(state).numCtx - TAKEN) * SHARE;
  const room = Math.floor(tokens * charsPerToken(null));
  const tests = testsText(view);
  const paths = filesThatMatter(state.goal, { ...world, files });
  // A log is not listed, but shown if the goal names it.
  if (files.length === 0 && paths.length === 0) return '';
  const heads = headsWithin(paths, room - tests.length - 1, { state, world });
  return [headsText(heads), tests].filter(Boolean).join('\n');
}

/** The text about the existing tests, as the step before recorded it. */
const testsText = ({ state: { testsBeforePlan, counters }, outputAt }: DriverView): string =>
  testsBeforePlan && testsBeforePlan.offset !== null && testsBeforePlan.replans === counters.replans
    ? outputAt(testsBeforePlan.offset)
    : '';

/** The failures of the latest look: the reason to change an existing file. */
export const failingTests = (view: DriverView): string =>
  view.state.testsBeforePlan?.failed ? testsText(view) : '';

function headsWithin(
  paths: readonly string[],
  room: number,
  { state, world }: Pick<DriverView, 'state' | 'world'>,
): readonly FileHead[] {
  const heads: FileHead[] = [];
  let left = room;
  for (const path of paths) {
    if (left < MIN_HEAD) break;
    const most = isNamedInGoal(state.goal, path, world) ? left : Math.min(left, MAX_WHOLE);
    const head = headOf(path, most, world);
    const length = headsText([head]).length + 1;
    if (length > left) continue;
    left -= length;
    heads.push(head);
  }
  return heads;
}

/** @param most characters, including everything around the text */
function headOf(path: string, most: number, world: DriverView['world']): FileHead {
  const bytes = world.size(path) ?? 0;
  const text = world.readText(path)?.replaceAll('\r\n', '\n').trimEnd() ?? null;
  const only = (why: string): FileHead => ({
    path,
    bytes,
    text: null,
    lines: 0,
    isWhole: false,
    why,
  });
  const withheld = withheldBecause(path, text, world);
  if (text === null || withheld !== null) return only(WHY_NOT_SHOWN[withheld ?? 'noText']);
  const around = path.length + AROUND;
  if (text.length + around <= most) return { path, bytes, text, lines: 0, isWhole: true, why: '' };
  const room = Math.min(most - around, MAX_HEAD);
  const head = firstLines(text, room);
  return room < MIN_HEAD || head.length === 0
    ? only(WHY_NOT_SHOWN.noRoom)
    : { path, bytes, text: head.join('\n'), lines: head.length, isWhole: false, why: '' };
}

/** The most characters for size, fences and line ends of a file's block. */
const AROUND = 80;

function firstLines(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let left = room;
  for (const line of text.split('\n').slice(0, MAX_LINES)) {
    const shown = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
    left -= shown.length + 1;
    if (left < 0) break;
    lines.push(shown);
  }
  return lines;
}
