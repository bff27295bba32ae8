/** Performs one step: ask, execute, or say what changed. Each leaves at least one record behind. */
import { factsText, gatherFacts } from '../probe/facts.ts';
import { nudge } from '../prompts/questions.ts';
import { stepText, subtaskStarted } from '../prompts/subtask.ts';
import type { ToolCall } from '../schema/messages.ts';
import { subtasksOf } from '../schema/plan.ts';
import { activeSubtask, ownFile } from '../steps/select.ts';
import type { Step } from '../steps/step.ts';
import { execute, skipCall, tell, tellFailedCheck } from './act.ts';
import { ask } from './ask.ts';
import { check } from './check.ts';
import { compact } from './compact.ts';
import { adoptPlan, startReplan } from './planning.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import { settingsOf, switchToJson } from './settings.ts';

/** Everything a step can be but the two that end the loop. */
export type WorkStep = Exclude<Step, { do: 'pause' | 'finish' }>;

export async function perform(step: WorkStep, run: Run): Promise<void> {
  const { context } = run;
  switch (step.do) {
    case 'ask':
      return ask(step, run);
    case 'execute':
      return execute(step.call, run);
    case 'check':
      return check(step.index, run);
    case 'adopt_plan':
      return adoptPlan(run);
    case 'start_subtask':
      return startSubtask(step.id, run);
    case 'tell':
      return tell(run);
    case 'skip_call':
      return skipCall(step.call, run);
    case 'tell_failed_check':
      return tellFailedCheck(step.isProof, run);
    case 'compact':
      return compact(run);
    case 'switch_to_json':
      return switchToJson(run, step.why);
    case 'replan':
      return startReplan(run, step.why);
    case 'nudge':
      return say(run, { cause: 'nudge', text: nudgeText(run) });
    case 'refuse':
      return say(run, { cause: 'refusal', text: step.why, rewindTo: step.fromSeq });
    case 'rewind':
      context.record({ type: 'rewound', fromSeq: step.fromSeq, why: step.why });
      return;
    case 'open_branch':
    case 'close_branch': {
      const at = step.do === 'open_branch' ? 'open' : 'close';
      context.record({ type: 'branched', at, why: step.why });
      return;
    }
    case 'open_round':
      return openRound(step, run);
    case 'finish_subtask':
      return finishSubtask(step, run);
    default:
      return unreachable(step);
  }
}

/** The header is said first, so that a run cut off in between says it once all the same. */
function startSubtask(id: string, run: Run): void {
  const { context } = run;
  const { state } = context;
  const subtask = state.plan && subtasksOf(state.plan).find((one) => one.id === id);
  if (!state.plan || !subtask) throw new Error(`The plan has no subtask ${id}.`);
  if (state.conversation.at(-1)?.cause !== 'subtask_started') {
    const { mode } = settingsOf(state);
    const facts = gatherFacts(state, run.world);
    const text = subtaskStarted({
      mode,
      goal: state.goal,
      plan: state.plan,
      subtask,
      facts: mode === 'native' ? factsText(facts) : filesLine(facts.files_exist.names),
      isFirst: !state.conversation.some((ref) => ref.cause === 'subtask_started'),
    });
    say(run, { cause: 'subtask_started', text });
  }
  context.record({ type: 'subtask_started', subtask: id });
}

/** Few words for a small model: what is already there. */
const filesLine = (names: readonly string[]): string =>
  `Files so far: ${names.length > 0 ? names.join(', ') : 'none'}.`;

function openRound(step: Extract<Step, { do: 'open_round' }>, run: Run): void {
  const { state } = run.context;
  const calls = step.calls.length > 0 ? step.calls : readFirst(step, run);
  run.context.record({
    type: 'round_started',
    n: state.counters.rounds + 1,
    subtask: state.active?.id ?? 'none',
    origin: step.origin,
    ...(calls.length > 0 ? { calls: [...calls] } : {}),
  });
}

/** A planned file that is there already and was never looked at is read before it is written. */
function readFirst(step: Extract<Step, { do: 'open_round' }>, run: Run): readonly ToolCall[] {
  const { state } = run.context;
  const subtask = activeSubtask(state);
  const file = subtask && ownFile(subtask);
  const isUnseen = file !== undefined && state.files[file] === undefined && run.world.exists(file);
  if (step.origin !== 'planned' || !isUnseen) return [];
  const id = `planned_${state.counters.rounds + 1}`;
  return [{ id, name: 'read_file', args: { path: file } }];
}

function finishSubtask(step: Extract<Step, { do: 'finish_subtask' }>, run: Run): void {
  run.context.markSubtaskComplete({
    subtask: step.id,
    status: step.status,
    summary: step.summary,
    ...(step.answer === null ? {} : { answer: run.context.textOf(step.answer) }),
  });
}

function nudgeText(run: Run): string {
  const subtask = activeSubtask(run.context.state);
  const tools = run.definitions.map((tool) => tool.name);
  return nudge(subtask ? stepText(subtask) : run.context.state.goal, tools);
}

const unreachable = (step: never): never => {
  throw new Error(`unknown step ${JSON.stringify(step)}`);
};
