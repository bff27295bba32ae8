/** Builds the words of a question from the folded state and the files that it is about. */

import { askedParts } from '../../decompose/brief/goal-parts.ts';
import { isTestPath } from '../../languages/languages.ts';
import { linesNamedIn } from '../../languages/testing/involved-files.ts';
import { shortFailure } from '../../languages/testing/short-failure.ts';
import { briefQuestion } from '../../prompts/brief.ts';
import { goalToTell } from '../../prompts/goal.ts';
import { type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import {
  activeSubtask,
  hasEndedWell,
  lastCommand,
  settingsOf,
  subtaskFile,
} from '../../steps/select.ts';
import { isInView } from '../../steps/shown.ts';
import type { AskStep, DriverView, DriverWords } from '../driver.ts';
import { composePlan, composeReplan } from '../plan-question.ts';
import {
  excerptOf,
  excerptsOf,
  type FileExcerpts,
  roomForAFile,
  roomForFiles,
} from './file-excerpts.ts';
import type { About } from './passage.ts';
import {
  answerQuestion,
  contentQuestion,
  decisionQuestion,
  inputQuestion,
  repairQuestion,
} from './questions.ts';
import { promptsOf, writtenFiles } from './select.ts';
import { failingTests, surveyText } from './survey.ts';

export function composeQuestion(step: AskStep, view: DriverView): DriverWords {
  const { state } = view;
  switch (step.cause) {
    case 'brief_question':
      return { text: briefQuestion(state.guided.goalParts ?? []) };
    case 'plan_question':
      return { text: composePlan(view, surveyText(view)) };
    case 'replan_question':
      return { text: composeReplan(view, surveyText(view)) };
    case 'content_question':
      return composeContent(step, view);
    case 'completion_question':
      return { text: composeAnswer(view) };
    case 'input_question':
      return { text: composeInput(step, view) };
    default:
      return { text: decisionQuestion(subtaskOf(state), openNames(step, view)) };
  }
}

function composeAnswer({ state, names }: DriverView): string {
  const { goal } = state;
  return answerQuestion(subtaskOf(state), { goal, parts: askedParts(goal) }, names.ends_subtasks);
}

function subtaskOf(state: RunState): Subtask {
  const subtask = activeSubtask(state);
  if (!subtask) throw new Error('A question needs an active subtask.');
  return subtask;
}

const openNames = ({ question }: AskStep, { names }: DriverView): readonly string[] =>
  question.kind === 'action' ? question.open.map(({ does }) => names[does]) : [];

function composeContent(step: AskStep, view: DriverView): DriverWords {
  const { state } = view;
  const file = step.question.kind === 'content' ? step.question.file : '';
  if (state.mainConversation) return composeRepair(file, view);
  const faults = state.guided.contentRequest?.faults ?? [];
  const current = fileForContent(file, view);
  const text = contentQuestion({
    goal: goalToTell(state),
    file,
    isTested: isTested(state),
    current,
    // Repeated: the failing tests were named before the plan, in a conversation that is closed by now.
    failing: current === null ? '' : failingTests(view),
    faults,
  });
  return { text, shows: current?.records ?? [] };
}

/** What failed, the files that may have caused it, and the file to be rewritten. */
function composeRepair(file: string, view: DriverView): DriverWords {
  const { state, world } = view;
  const command = lastCommand(state);
  const text = world.readText(file);
  const room = roomForAFile(settingsOf(state).numCtx);
  const current =
    text === null || isToBeAnew(file, state)
      ? null
      : excerptOf({ path: file, text }, room, aboutOf(view, file));
  const files = filesOfFailure(view).filter(({ path }) => path !== file);
  const question = repairQuestion({
    goal: goalToTell(state),
    cmd: command?.cmd ?? '',
    error: command ? shortFailure(view.outputAt(command.offset)) : '',
    file,
    files,
    current,
    isThere: text !== null,
    faults: state.guided.contentRequest?.faults ?? [],
  });
  const shows = [...files, ...(current ? [current] : [])].flatMap(({ records }) => records);
  return { text: question, shows };
}

/**
 * True for a file that the run made and that came back unchanged: it is requested without showing it. Nothing
 * of the user's can be lost by that.
 */
const isToBeAnew = (file: string, { guided, files }: RunState): boolean =>
  (guided.contentRequest?.unchanged ?? 0) > 0 && files[file]?.baseline === null;

/**
 * The file as it is, if it must be changed and is not in view, or as it was given; `null`: it need not be shown. Parts
 * that an answer left out, but that must stay, are shown once more.
 */
function fileForContent(file: string, view: DriverView): FileExcerpts | null {
  const { state } = view;
  const text = view.world.readText(file);
  if (text === null) return null;
  const { written = false, rejected = null, baseline = null, hash } = state.files[file] ?? {};
  const isAnew = state.guided.contentRequest?.faults.length === 0 || rejected !== null;
  const isWanted =
    (baseline !== null && baseline === hash) || (!written && isAnew) || !isInView(state, file);
  const room = roomForAFile(settingsOf(state).numCtx);
  return isWanted ? excerptOf({ path: file, text }, room, aboutOf(view, file)) : null;
}

/** What matters in a long file: the parts that the goal, its subtask and a failure mention. */
function aboutOf({ state, outputAt }: DriverView, file: string): About {
  const command = lastCommand(state);
  const failure = command && !hasEndedWell(command) ? outputAt(command.offset) : '';
  const words = [state.goal, activeSubtask(state)?.purpose ?? '', failure].join(' ');
  return { words, lines: linesNamedIn(failure, file) };
}

const isTested = ({ plan }: RunState): boolean =>
  plan !== null && subtasksOf(plan).some((subtask) => isTestPath(subtaskFile(subtask) ?? ''));

/** Files that concern the failure, then other files that this run wrote, as long as there is room. */
function filesOfFailure(view: DriverView): readonly FileExcerpts[] {
  const { state } = view;
  const involved = lastCommand(state)?.involved ?? [];
  const paths = [...involved, ...writtenFiles(state).map(([path]) => ({ path }))];
  const files = [...new Set(paths.map(({ path }) => path))].flatMap((path) => {
    const text = view.world.readText(path);
    return text === null || text.trim() === '' ? [] : [{ path, text }];
  });
  const room = roomForFiles(settingsOf(state).numCtx);
  return excerptsOf(files, room, (path) => aboutOf(view, path));
}

function composeInput(step: AskStep, view: DriverView): string {
  const { state } = view;
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  const cmd = String(only?.fixed?.cmd ?? '');
  return inputQuestion(cmd, promptsOf(state, cmd), view.names.runs_commands);
}
