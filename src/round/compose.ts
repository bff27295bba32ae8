/** The words of a question, put together from folded state and from the files it is about. */
import { importLines } from '../languages/import-lines.ts';
import { isTestPath } from '../languages/languages.ts';
import { planExamples } from '../languages/plan-examples.ts';
import { isTellingLine } from '../languages/test-output.ts';
import { planQuestion, replanQuestion } from '../prompts/plan.ts';
import {
  answerQuestion,
  completionQuestion,
  decisionQuestion,
  failureText,
  inputQuestion,
  repairContentQuestion,
  repairQuestion,
} from '../prompts/questions.ts';
import { shortError } from '../prompts/short-error.ts';
import { contentQuestion, stepText } from '../prompts/subtask.ts';
import type { Subtask } from '../schema/plan.ts';
import type { CommandFact, RunState } from '../schema/state.ts';
import {
  activeSubtask,
  lastCommand,
  ownFile,
  promptsOf,
  seqOfQuestion,
  subtasksOf,
  writtenFiles,
} from '../steps/look.ts';
import type { Step } from '../steps/step.ts';
import type { Run } from './run.ts';
import { settingsOf } from './settings.ts';

type Ask = Extract<Step, { do: 'ask' }>;

const MAX_FILES = 20;
/** Longest error shown in a repair question, in characters. */
const MAX_ERROR = 1000;
const MAX_SHOWN_FILE = 6000;
/** All files that a question shows have this much of the window, in characters a token of it. */
const SHOWN_PER_TOKEN = 1.3;
const LEAST_SHOWN_FILE = 800;

export function composeQuestion(step: Ask, run: Run): string {
  const { state } = run.context;
  switch (step.cause) {
    case 'plan_question':
      return planQuestion(state.goal, run.world.files(MAX_FILES), planExamples(run.installed).text);
    case 'replan_question':
      return composeReplan(run);
    case 'content_question':
      return composeContent(step, run);
    case 'completion_question':
      return composeCompletion(step, run);
    case 'repair_question':
      return composeRepair(step, run);
    case 'input_question':
      return composeInput(step, run);
    default:
      return decisionQuestion(subtaskOf(state), openNames(step));
  }
}

function subtaskOf(state: RunState): Subtask {
  const subtask = activeSubtask(state);
  if (!subtask) throw new Error('A question needs an active subtask.');
  return subtask;
}

const openNames = (step: Ask): readonly string[] =>
  step.question.kind === 'action' ? step.question.open.map((action) => action.tool) : [];

function composeReplan(run: Run): string {
  const { state } = run.context;
  const done = state.plan ? subtasksOf(state.plan) : [];
  return replanQuestion({
    goal: state.goal,
    why: state.replan?.why ?? '',
    done: done.filter((one) => one.status === 'completed').map(stepText),
    files: run.world.files(MAX_FILES),
    examples: state.beside === null ? null : planExamples(run.installed).text,
  });
}

function composeContent(step: Ask, run: Run): string {
  const { state } = run.context;
  const file = step.question.kind === 'content' ? step.question.file : '';
  const faults = state.wantsContent?.faults ?? [];
  if (seqOfQuestion(state, 'repair_question') !== undefined)
    return repairContentQuestion(file, faults);
  const isToBeChanged = faults.length === 0 && !state.files[file]?.written;
  const current = isToBeChanged ? run.world.readText(file) : null;
  const files = writtenFiles(state).map(([path, known]) => ({ path, defines: known.defines }));
  const question = contentQuestion({
    goal: state.goal,
    file,
    imports: importLines(files, file, run.installed),
    isTest: isTestPath(file),
    isTested: isTested(state),
    current: current === null ? null : current.slice(0, MAX_SHOWN_FILE),
    faults,
  });
  return state.beside ? `${composeFailure(run, file)}\n${question}` : question;
}

const isTested = ({ plan }: RunState): boolean =>
  plan !== null && subtasksOf(plan).some((subtask) => isTestPath(ownFile(subtask) ?? ''));

/** What failed and the files it may lie in, but for the one that is to be written anew. */
function composeFailure(run: Run, without: string): string {
  const command = lastCommand(run.context.state);
  return failureText({
    cmd: command?.cmd ?? '',
    error: command ? errorText(command, run) : '',
    files: shownFiles(run).filter(({ path }) => path !== without),
  });
}

function shownFiles(run: Run): readonly { readonly path: string; readonly text: string }[] {
  const { state } = run.context;
  const files = writtenFiles(state).flatMap(([path]) => {
    const text = run.world.readText(path);
    return text === null || text.trim() === '' ? [] : [{ path, text }];
  });
  const share = (settingsOf(state).numCtx * SHOWN_PER_TOKEN) / Math.max(1, files.length);
  const most = Math.min(MAX_SHOWN_FILE, Math.max(LEAST_SHOWN_FILE, Math.floor(share)));
  return files.map(({ path, text }) => ({ path, text: text.slice(0, most) }));
}

/** What a command or check said, read back from the journal. */
function errorText(command: CommandFact, run: Run): string {
  const record = run.context.readAny(command.offset);
  const text =
    record.type === 'action_finished'
      ? record.result
      : record.type === 'check_ran'
        ? record.text
        : '';
  return shortError(typeof text === 'string' ? text : '', MAX_ERROR, isTellingLine);
}

function composeCompletion(step: Ask, run: Run): string {
  const { state } = run.context;
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  const subtask = subtaskOf(state);
  return only?.without?.includes('answer')
    ? completionQuestion(subtask)
    : answerQuestion(subtask, state.goal);
}

function composeRepair(step: Ask, run: Run): string {
  const { state } = run.context;
  const command = lastCommand(state);
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  return repairQuestion({
    goal: state.goal,
    cmd: command?.cmd ?? '',
    error: command ? errorText(command, run) : '',
    files: shownFiles(run),
    problems: writtenFiles(state).flatMap(([path, file]) =>
      file.problems.map((problem) => `Problem in ${path}: ${problem}`),
    ),
    choices: only?.choices?.path ?? [],
  });
}

function composeInput(step: Ask, run: Run): string {
  const { state } = run.context;
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  const cmd = String(only?.fixed?.cmd ?? '');
  return inputQuestion(cmd, promptsOf(state, cmd));
}
