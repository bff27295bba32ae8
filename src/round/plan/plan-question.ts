/**
 * Presents a plan that waits for approval as an ordinary question, so that it can be answered elsewhere with
 * yes or no. Pure.
 */
import { onOneLine } from '../../lib/text/one-line.ts';
import type { Plan, Proof } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { isPlanDue } from '../../steps/planning.ts';
import type { AskPerson, PermissionQuestion, PersonsAnswer } from '../permission/person.ts';
import type { AskPlan, PlanAnswer } from './plan-review.ts';

/** The name that the question has in place of a tool; no tool can have it. */
export const PLAN_QUESTION = 'the plan';

export const planQuestionId = (run: string): string => `plan-${run}`;

/** @param text to be changed by whoever answers; left out: it is agreed to as it is */
export const questionAboutPlan = (
  run: string,
  goal: string,
  plan: Plan,
  text?: string,
): PermissionQuestion => ({
  id: planQuestionId(run),
  tool: PLAN_QUESTION,
  target: goal,
  rules: [],
  offered: [],
  reason: 'Nothing is done before a yes.',
  input: text === undefined ? {} : { plan: text },
  plan,
  inputText: outline(plan),
  callId: '',
  argv: null,
  folder: '',
  program: null,
});

/** The open question in the journal; `null`: none. */
export const openPlanQuestion = (state: RunState): PermissionQuestion | null =>
  state.plan !== null && state.ended === null && isPlanDue(state)
    ? questionAboutPlan(state.run, state.goal, state.plan)
    : null;

/** Lets whoever answers questions also approve plans. */
export const askPlanBy =
  (ask: AskPerson, run: string): AskPlan =>
  async ({ goal, plan }, signal) =>
    planAnswer(await ask(questionAboutPlan(run, goal, plan), signal));

export function planAnswer(answer: PlanAnswer | PersonsAnswer): PlanAnswer {
  switch (answer.kind) {
    case 'once':
    case 'run':
    case 'always': {
      const text = changedPlan(answer.input);
      return text === null ? { kind: 'yes' } : { kind: 'edited', text };
    }
    case 'no':
      return { kind: 'no' };
    default:
      return answer;
  }
}

/** The text of a plan that came with a yes; `null`: none did. */
export const changedPlan = (input: PermissionQuestion['input'] | undefined): string | null =>
  typeof input?.plan === 'string' ? input.plan : null;

/** Each task with its subtasks, then the proof. */
function outline({ tasks, proof }: Plan): string {
  const lines = tasks.flatMap((task) => [
    onOneLine(task.description),
    ...task.subtasks.map(({ purpose, step }) => {
      const does = step === undefined ? '' : `${step.action} ${step.target}`;
      return `  - ${[purpose, does].map(onOneLine).filter(Boolean).join(': ')}`;
    }),
  ]);
  const end = proof === undefined ? 'none; the end will not be called proved' : proofText(proof);
  return [...lines, `Proof: ${end}`].join('\n');
}

const proofText = ({ cmd, prints, stdin }: Proof): string =>
  [
    onOneLine(cmd),
    ...(stdin === undefined ? [] : [`given ${JSON.stringify(stdin)}`]),
    ...(prints === undefined ? [] : [`prints ${JSON.stringify(prints)}`]),
  ].join(' ');
