/** The words of a question, put together from folded state and from the files it is about. */

import { functionSaid } from '../../languages/functions.ts';
import { importLines } from '../../languages/import-lines.ts';
import { linesSaid } from '../../languages/involved-files.ts';
import { isTestPath } from '../../languages/languages.ts';
import { briefQuestion } from '../../prompts/brief.ts';
import { problemIn } from '../../prompts/remarks.ts';
import { isEdit } from '../../schema/doing.ts';
import { type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { CommandFact } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import {
  activeSubtask,
  hasEndedWell,
  lastCommand,
  ownFile,
  settingsOf,
} from '../../steps/select.ts';
import { isInView } from '../../steps/shown.ts';
import { sha256 } from '../../workspace/files.ts';
import type { Ask, DriverView, Words } from '../driver.ts';
import { composePlan, composeReplan } from '../plan-question.ts';
import { errorTold } from './error-told.ts';
import { failingTests, lookText } from './look.ts';
import type { About } from './passage.ts';
import {
  answerQuestion,
  contentQuestion,
  decisionQuestion,
  failureText,
  functionQuestion,
  inputQuestion,
  lineQuestion,
  repairContentQuestion,
  repairQuestion,
} from './questions.ts';
import { promptsOf, seqOfQuestion, writtenFiles } from './select.ts';
import { roomForAFile, roomForFiles, type Shown, shownFile, shownFiles } from './shown.ts';

/** Longest error shown in a repair question, in characters. */
const MAX_ERROR = 1000;

export function composeQuestion(step: Ask, view: DriverView): Words {
  const { state } = view;
  switch (step.cause) {
    case 'brief_question':
      return { text: briefQuestion(state.guided.goalParts ?? []) };
    case 'plan_question':
      return { text: composePlan(view, lookText(view)) };
    case 'replan_question':
      return { text: composeReplan(view, lookText(view)) };
    case 'content_question':
      return composeContent(step, view);
    case 'completion_question':
      return { text: answerQuestion(subtaskOf(state), state.goal, view.names.ends_subtasks) };
    case 'repair_question':
      return composeRepair(step, view);
    case 'input_question':
      return { text: composeInput(step, view) };
    default:
      return { text: decisionQuestion(subtaskOf(state), openNames(step, view)) };
  }
}

function subtaskOf(state: RunState): Subtask {
  const subtask = activeSubtask(state);
  if (!subtask) throw new Error('A question needs an active subtask.');
  return subtask;
}

const openNames = ({ question }: Ask, { names }: DriverView): readonly string[] =>
  question.kind === 'action' ? question.open.map(({ does }) => names[does]) : [];

function composeContent(step: Ask, view: DriverView): Words {
  const { state } = view;
  const file = step.question.kind === 'content' ? step.question.file : '';
  const faults = state.guided.contentRequest?.faults ?? [];
  const current = shownForContent(file, view);
  const shows = current?.records ?? [];
  if (isInRepairQuestion(state))
    return {
      text: repairContentQuestion(file, current, faults, view.world.exists(file)),
      shows,
    };
  const anew = functionAnew(file, view);
  if (anew !== null) return anew;
  const files = writtenFiles(state).map(([path, known]) => ({ path, defines: known.defines }));
  const question = contentQuestion({
    goal: state.goal,
    file,
    imports: importLines(files, file, view.installed, (path) => view.world.readText(path)),
    isTested: isTested(state),
    current,
    // Said before the plan, in a conversation that is closed by now.
    failing: current === null || isRepair(state) ? '' : failingTests(view),
    faults,
  });
  if (!state.mainConversation) return { text: question, shows };
  const failure = composeFailure(view, file);
  return { text: `${failure.text}\n${question}`, shows: [...failure.shows, ...shows] };
}

/**
 * A file that came back as it was is asked for without being shown; where the failure is about one
 * function of it, for that function alone: the rest of the file stays, and is not written again.
 */
function functionAnew(file: string, view: DriverView): Words | null {
  const { guided, mainConversation, goal } = view.state;
  const { contentRequest } = guided;
  const command = lastCommand(view.state);
  if (!contentRequest?.withoutCurrentContent || !mainConversation || !command) return null;
  // What prints nothing lacks the call of its functions, and none of them is at fault.
  if (command.shortfall === 'silent') return null;
  const text = view.world.readText(file);
  if (!text) return null;
  const hash = sha256(Buffer.from(text));
  const wrong = functionSaid(file, text, view.outputAt(command.offset));
  // Nothing of it is shown: what somebody else has changed meanwhile is looked at first.
  if (wrong === null || view.state.files[file]?.hash !== hash) return null;
  const others = composeFailure(view, file);
  const [head = ''] = text.split(/\r?\n/).slice(wrong.from - 1);
  const question = functionQuestion({ goal, file, head, faults: contentRequest.faults });
  return {
    text: `${others.text}\n${question}`,
    shows: [...others.shows, { path: file, hash, ...wrong }],
  };
}

const isInRepairQuestion = (state: RunState): boolean =>
  seqOfQuestion(state, 'repair_question') !== undefined;

/**
 * The file as it is, where it is to be changed and not in view, or as it was given; `null`: it need not be shown. What
 * must stay in it has to be seen once more where an answer left it out.
 */
function shownForContent(file: string, view: DriverView): Shown | null {
  const { state } = view;
  const text = view.world.readText(file);
  if (text === null) return null;
  const room = roomForAFile(settingsOf(state).numCtx);
  const { written = false, withheld = null, given = null, hash } = state.files[file] ?? {};
  const isAnew = state.guided.contentRequest?.faults.length === 0 || withheld !== null;
  const isWanted = isInRepairQuestion(state)
    ? !isShownWhole(state, file)
    : (given !== null && given === hash) ||
      (!written && isAnew) ||
      !isInView(state, file) ||
      (isRepair(state) && text.length > room);
  return isWanted ? shownFile({ path: file, text }, room, aboutOf(view, file)) : null;
}

const isRepair = (state: RunState): boolean => state.mainConversation !== null;

const isShownWhole = ({ conversation }: RunState, path: string): boolean =>
  conversation.some(({ shows = [] }) =>
    shows.some((one) => one.path === path && one.from === undefined),
  );

/** What of a long file matters: what the goal, its subtask and a failure speak of. */
function aboutOf({ state, outputAt }: DriverView, file: string): About {
  const command = lastCommand(state);
  const failure = command && !hasEndedWell(command) ? outputAt(command.offset) : '';
  const words = [state.goal, activeSubtask(state)?.purpose ?? '', failure].join(' ');
  return { words, lines: linesSaid(failure, file) };
}

const isTested = ({ plan }: RunState): boolean =>
  plan !== null && subtasksOf(plan).some((subtask) => isTestPath(ownFile(subtask) ?? ''));

/** What failed and the files it may lie in, but for the one that is to be written anew. */
function composeFailure(view: DriverView, without: string) {
  const command = lastCommand(view.state);
  const files = filesOfFailure(view).filter(({ path }) => path !== without);
  const text = failureText({
    cmd: command?.cmd ?? '',
    error: command ? errorText(command, view) : '',
    files,
  });
  return { text, shows: files.flatMap(({ records }) => records) };
}

/** Those that have to do with the failure, then what else this run wrote, while there is room. */
function filesOfFailure(view: DriverView): readonly Shown[] {
  const { state } = view;
  const involved = lastCommand(state)?.involved ?? [];
  const paths = [...involved, ...writtenFiles(state).map(([path]) => ({ path }))];
  const files = [...new Set(paths.map(({ path }) => path))].flatMap((path) => {
    const text = view.world.readText(path);
    return text === null || text.trim() === '' ? [] : [{ path, text }];
  });
  const room = roomForFiles(settingsOf(state).numCtx);
  return shownFiles(files, room, (path) => aboutOf(view, path));
}

const errorText = (command: CommandFact, view: DriverView): string =>
  errorTold(view.outputAt(command.offset), MAX_ERROR);

function composeRepair(step: Ask, view: DriverView): Words {
  const { state } = view;
  const command = lastCommand(state);
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  const files = filesOfFailure(view);
  const shows = files.flatMap(({ records }) => records);
  const failure = {
    goal: state.goal,
    cmd: command?.cmd ?? '',
    error: command ? errorText(command, view) : '',
    files,
  };
  if (only && isEdit(only))
    return {
      text: lineQuestion({
        ...failure,
        file: String(only.fixed?.path ?? ''),
        tool: view.names.edits_files,
      }),
      shows,
    };
  const text = repairQuestion({
    ...failure,
    problems: writtenFiles(state).flatMap(([path, file]) =>
      file.problems.map((problem) => problemIn(path, problem)),
    ),
    choices: only?.choices?.path ?? [],
    tool: view.names.writes_whole_files,
  });
  return { text, shows };
}

function composeInput(step: Ask, view: DriverView): string {
  const { state } = view;
  const [only] = step.question.kind === 'action' ? step.question.open : [];
  const cmd = String(only?.fixed?.cmd ?? '');
  return inputQuestion(cmd, promptsOf(state, cmd), view.names.runs_commands);
}
