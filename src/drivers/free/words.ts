/** What the free driver tells the model. */
import { factsAtBorder } from '../../probe/facts.ts';
import { livingSubtasks, placeOf, stepText } from '../../prompts/subtask.ts';
import type { ToolNames } from '../../schema/actions.ts';
import type { Plan, Subtask } from '../../schema/plan.ts';
import type { DriverView } from '../driver.ts';

export const systemPrompt = (
  names: ToolNames,
): string => `You are a coding agent in one folder, working through a plan.
Work only on the ACTIVE SUBTASK. Use the tools: paths are relative to the folder, ${names.runs_commands} runs one program without a shell.
When the subtask is done and you have seen it work, call ${names.ends_subtasks} with success true; if it cannot be done, with success false and the reason. That call is the only way a subtask ends. If the goal asks for information, give it as answer.`;

export function subtaskStarted(plan: Plan, subtask: Subtask, { state, world }: DriverView): string {
  const isFirst = !state.conversation.some((ref) => ref.cause === 'subtask_started');
  const task = plan.tasks.find((candidate) => candidate.subtasks.includes(subtask));
  return [
    `GOAL: ${state.goal}`,
    ...(isFirst ? overview(plan) : []),
    `CURRENT TASK: ${task?.description ?? ''}`,
    `ACTIVE SUBTASK ${subtask.id} (${placeOf(subtask, plan)}): ${stepText(subtask)}`,
    factsAtBorder(state, world),
  ]
    .filter(Boolean)
    .join('\n');
}

const overview = (plan: Plan): readonly string[] => [
  'PLAN:',
  ...livingSubtasks(plan).map((one) => `${one.id} ${stepText(one)}`),
  ...(plan.proof ? [`VERIFIED AT THE END BY: ${plan.proof.cmd}`] : []),
];
