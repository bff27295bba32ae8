/** What the free driver tells the model. */
import { factsAtBorder } from '../../probe/facts.ts';
import { workApart } from '../../prompts/children.ts';
import { livingSubtasks, stepText, subtaskPosition } from '../../prompts/subtask.ts';
import type { ToolNames } from '../../schema/actions.ts';
import { type Plan, type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { neverMade, refusedText } from '../../steps/gate/not-done.ts';
import { hasEndedWell, isPending } from '../../steps/select.ts';
import type { AcceptedClaim, DriverView } from '../driver.ts';

export const systemPrompt = ({
  runs_commands,
  edits_files,
  sets_plan,
  ends_subtasks,
  gives_up,
}: ToolNames): string => `You are a coding agent in one folder. Paths are relative to it; ${runs_commands} runs one program without a shell.
First look, then call ${sets_plan}: subtasks that can be done or seen, each with the files it makes or changes, and as proof the command that shows the goal is reached. A small goal is one subtask; a question that looking answers needs no plan, only your answer as a text. Nothing can be changed before there is a plan.
Change a file that is there with ${edits_files}: one written anew with a fifth of its lines gone is sent back first.
Several calls may stand in one reply, and are carried out in order. End a subtask with ${ends_subtasks} in the same reply as its work; what stands behind it belongs to the next one. With the last one give a summary for the person: what was wrong, what changed, what else you saw; and where the goal asks for information, the answer. Each end is checked, and at the end the proof is run.
If nothing you can do here reaches the goal, call ${gives_up}.`;

export function subtaskStarted(
  plan: Plan,
  subtask: Subtask,
  { state, world, names }: DriverView,
): string {
  const isFirst = !state.conversation.some(
    ({ cause }) => cause === 'subtask_started' || cause === 'border',
  );
  return [
    ...(state.child === undefined ? [] : [workApart(subtask.id, names.ends_subtasks)]),
    ...(isFirst ? overview(plan) : []),
    activeText(plan, subtask),
    factsAtBorder(state, world),
  ]
    .filter(Boolean)
    .join('\n');
}

const overview = (plan: Plan): readonly string[] => [
  'PLAN:',
  ...livingSubtasks(plan).map((one) => planLine(one)),
  ...(plan.proof ? [`VERIFIED AT THE END BY: ${plan.proof.cmd}`] : []),
];

function planLine(subtask: Subtask): string {
  const { id, files = [], done_when, status } = subtask;
  const about = [
    ...(files.length > 0 ? [`files: ${files.join(', ')}`] : []),
    ...(done_when ? [`done when: ${done_when}`] : []),
    ...(isPending(subtask) ? [] : [status]),
  ];
  return `${id} ${stepText(subtask)}${about.length > 0 ? ` (${about.join('; ')})` : ''}`;
}

const activeText = (plan: Plan, subtask: Subtask): string =>
  `ACTIVE SUBTASK ${subtask.id} (${subtaskPosition(subtask, plan)}): ${stepText(subtask)}`;

/**
 * The plan from now on, repeated to the model with its first subtask. What was done under an earlier plan is reported
 * here, because it was the reason for a new one.
 */
export function planReply(plan: Plan, { state, world }: DriverView): string {
  const first = nextOpen(plan);
  return [
    'The plan is set.',
    ...overview(plan),
    ...(plan.proof || plan.answer_only
      ? []
      : ['It names no proof: nothing will show that the goal is reached.']),
    ...(passesAlready(plan, state) ? [PASSES_ALREADY] : []),
    ...(first ? [activeText(plan, first)] : []),
    ...(state.plan ? [factsAtBorder({ ...state, recentErrors: [] }, world)].filter(Boolean) : []),
  ].join('\n');
}

const PASSES_ALREADY = 'Its proof passes already: only a new test can show the work.';

/** True if the model itself saw the proof pass before anything was changed. */
const passesAlready = ({ proof }: Plan, { commands, changedAt }: RunState): boolean =>
  proof !== undefined &&
  changedAt === 0 &&
  commands.some((one) => one.cmd === proof.cmd && one.isAsTyped !== false && hasEndedWell(one));

const nextOpen = (plan: Plan): Subtask | undefined => subtasksOf(plan).find(isPending);

/** The reply to an accepted claim: how its subtasks ended, and what is next. */
export function completionReply(
  { state, world, names }: DriverView,
  { ended, success }: AcceptedClaim,
): string {
  const { plan, proof } = state;
  if (!plan) return '';
  const next = nextOpen(plan);
  if (!success && !next) return waitingLines(state, ended, 'The run pauses for it.').join('\n');
  const isRefused = ended.some((id) => neverMade(state, id).length > 0);
  const way = `Where another way is open, take it with ${names.sets_plan}; where none is, call ${names.gives_up} and say what it needs.`;
  const lines = success
    ? endedLines(state, ended)
    : waitingLines(state, ended, 'The run goes on without it.');
  if (next) {
    const more = [...(success && isRefused ? [way] : []), activeText(plan, next)];
    return [...lines, ...more, factsAtBorder(state, world)].filter(Boolean).join('\n');
  }
  // What follows is the person's yes, or a doubt that says what may be done.
  if (isRefused) return lines.join('\n');
  const isShown = !plan.proof || proof?.passed === true;
  const end = isShown
    ? 'That was the last subtask of the plan.'
    : `That was the last subtask of the plan, but its proof does not pass: ${plan.proof?.cmd}`;
  return [...lines, end].join('\n');
}

const endedLines = (state: RunState, ended: readonly string[]): readonly string[] =>
  (state.plan ? subtasksOf(state.plan) : [])
    .filter(({ id }) => ended.includes(id))
    .map(({ id, status }) => {
      if (status === 'completed') return `${id} is completed.`;
      const refused = neverMade(state, id);
      return refused.length > 0
        ? `${id} is not completed: ${refusedText(refused)}.`
        : `${id} is ended as you say; nothing that was done shows it.`;
    });

const waitingLines = (state: RunState, ended: readonly string[], how: string): readonly string[] =>
  ended.map(
    (id) => `${id} waits for the person to allow it: ${refusedText(neverMade(state, id))}. ${how}`,
  );

/** The message about one of several claimed subtasks that is not done. */
export const refusalReply = (state: RunState, ended: readonly string[], reason: string): string =>
  [...endedLines(state, ended), `Not done: ${reason}`].join('\n');

/** A text arrived instead of a call. @param missing what speaks against the subtask, or '' */
export function nudge({ state, names }: DriverView, missing: string): string {
  const mayBeAnswer = state.replan === null && state.free.meansWork !== true;
  const isAnswer = mayBeAnswer ? ' If it was your answer, say it again.' : '';
  if (state.plan === null || state.replan !== null)
    return `That was no tool call, and there is no plan. Look on, call ${names.sets_plan}, or call ${names.gives_up} with the reason.${isAnswer}`;
  const active = subtasksOf(state.plan).find(({ id }) => id === state.active?.id);
  const about = active ? `${active.id} ${stepText(active)}` : state.goal;
  return `That was no tool call. The active subtask is: ${about.replace(/[\s.]+$/, '')}.${missing === '' ? '' : ` ${missing}`} When it is done, call ${names.ends_subtasks}; when the goal cannot be reached, ${names.gives_up}.`;
}

/** Why a call has to wait for a plan. */
export const closedNow = (tool: string, { sets_plan }: ToolNames): string =>
  `${tool} is closed until there is a plan: call ${sets_plan} first. It may stand in the same reply, before the work.`;

/** The same for a command: many commands may run before a plan. */
export const waitsForPlan = (tool: string, { sets_plan }: ToolNames): string =>
  `Until there is a plan ${tool} runs what looks, tests or checks, and this command may change something (so may any code given on its line, also where it only reads): call ${sets_plan} first. It may stand in the same reply, before the work.`;

/**
 * The refusal of a change to files that the model's own brief keeps: only the model can have misread the
 * goal.
 */
export const staysAsItIs = (files: readonly string[], { sets_plan }: ToolNames): string =>
  `${files.join(', ')} must stay: your brief quotes the goal for it. Do the work without changing it; if the goal means something else, call ${sets_plan} with a brief that says so.`;

/** A proof that is wrong about the work cannot be satisfied by changing the work. */
export const failedProof = (text: string, { sets_plan }: ToolNames): string =>
  `${text}\nIf the proof itself cannot run, or asks for something else than the goal, call ${sets_plan} with another one and say why.`;
