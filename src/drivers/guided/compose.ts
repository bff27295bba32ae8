/** The words of a question, put together from folded state and from the files it is about. */
import { importLines } from '../../languages/import-lines.ts';
import { isTestPath } from '../../languages/languages.ts';
import { isTellingLine } from '../../languages/test-output.ts';
import { problemIn } from '../../prompts/remarks.ts';
import { shortError } from '../../prompts/short-error.ts';
import { type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { CommandFact } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import { activeSubtask, lastCommand, ownFile, settingsOf } from '../../steps/select.ts';
import type { Ask, DriverView } from '../driver.ts';
import { composePlan, composeReplan } from '../plan-question.ts';
import {
  answerQuestion,
  completionQuestion,
  contentQuestion,
  decisionQuestion,
  failureText,
  inputQuestion,
  repairContentQuestion,
  repairQuestion,
} from './questions.ts';
import { promptsOf, seqOfQuestion, writtenFiles } from './select.ts';

/** Longest error shown in a repair question, in characters. */
const MAX_ERROR = 1000;
const MAX_SHOWN_FILE = 6000;
/** All files that a question shows have this much of the window, in characters a token of it. */
const SHOWN_PER_TOKEN = 1.3;
const LEAST_SHOWN_FILE = 800;

export function composeQuestion(step: Ask, view: DriverView): string {
  const { state } = view;
  switch (step.cause) {
    case 'plan_question':
      return composePlan(view);
    case 'replan_question':
      return composeReplan(view);
    case 'content_question':
      return composeContent(step, view);
    case 'completion_question':
      return composeCompletion(step, view);
    case 'repair_question':
      return composeRepair(step, view);
    case 'input_question':
      return composeInput(step, view);
    default:
      return decisionQuestion(subtaskOf(state), openNames(step, view));
  }
}

function subtaskOf(state: RunState): Subtask {
  const subtask = activeSubtask(state);
  if (!subtask) throw new Error('A question needs an active subtask.');
  return subtask;
}

const openNames = ({ question }: Ask, { names }: DriverView): readonly string[] =>
  question.kind === 'action' ? question.open.map(({ does }) => names[does]) : [];

function composeContent(step: Ask, view: DriverView): string {
  const { state } = view;
  const file = step.question.kind === 'content' ? step.question.file : '';
  const faults = state.contentRequest?.faults ?? [];
  if (seqOfQuestion(state, 'repair_question') !== undefined)
    return repairContentQuestion(file, faults);
  const { written = false, withheld = null } = state.files[file] ?? {};
  // What must stay in it has to be seen once more where an answer left it out.
  const isToBeChanged = !written && (faults.length === 0 || withheld !== null);
  const current = isToBeChanged ? view.world.readText(file) : null;
  const files = writtenFiles(state).map(([path, known]) => ({ path, defines: known.defines }));
  const question = contentQuestion({
    goal: state.goal,
    file,
    imports: importLines(files, file, view.installed, (path) => view.world.readText(path)),
    isTested: isTested(state),
    current: current === null ? null : current.slice(0, MAX_SHOWN_FILE),
    faults,
  });
  return state.mainConversation ? `${composeFailure(view, file)}\n${question}` : question;
}

const isTested = ({ plan }: RunState): boolean =>
  plan !== null && subtasksOf(plan).some((subtask) => isTestPath(ownFile(subtask) ?? ''));

/** What failed and the files it may lie in, but for the one that is to be written anew. */
function composeFailure(view: DriverView, without: string): string {
  const command = lastCommand(view.state);
  return failureText({
    cmd: command?.cmd ?? '',
    error: command ? errorText(command, view) : '',
    files: shownFiles(view).filter(({ path }) => path !== without),
  });
}

function shownFiles(view: DriverView): readonly { readonly path: string; readonly text: string }[] {
  const { state } = view;
  const files = writtenFiles(state).flatMap(([path]) => {
    const text = view.world.readText(path);
    return text === null || text.trim() === '' ? [] : [{ path, text }];
  });
  const share = (settingsOf(state).numCtx * SHOWN_PER_TOKEN) / Math.max(1, files.length);
  const most = Math.min(MAX_SHOWN_FILE, Math.max(LEAST_SHOWN_FILE, Math.floor(share)));
  return files.map(({ path, text }) => ({ path, text: text.slice(0, most) }));
}

const errorText = (command: CommandFact, view: DriverView): string =>
  shortError(view.outputAt(command.offset), MAX_ERROR, isTellingLine);

function composeCompletion(step: Ask, view: DriverView): string {
  const { state, names } = view;
  const [action] = step.question.kind === 'action' ? step.question.open : [];
  const subtask = subtaskOf(state);
  return action?.only?.includes('answer') === false
    ? completionQuestion(subtask, names.ends_subtasks)
    : answerQuestion(subtask, state.goal, names.ends_subtasks);
}

function composeRepair(step: Ask, view: DriverView): string {
  const { state } = view;
  const command = lastCommand(state);
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  return repairQuestion({
    goal: state.goal,
    cmd: command?.cmd ?? '',
    error: command ? errorText(command, view) : '',
    files: shownFiles(view),
    problems: writtenFiles(state).flatMap(([path, file]) =>
      file.problems.map((problem) => problemIn(path, problem)),
    ),
    choices: only?.choices?.path ?? [],
    tool: view.names.writes_whole_files,
  });
}

function composeInput(step: Ask, view: DriverView): string {
  const { state } = view;
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  const cmd = String(only?.fixed?.cmd ?? '');
  return inputQuestion(cmd, promptsOf(state, cmd), view.names.runs_commands);
}
