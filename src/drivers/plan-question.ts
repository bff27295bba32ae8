/** The plan question, if it is asked separately. */
import { planExamples } from '../languages/plan-examples.ts';
import { goalToTell } from '../prompts/goal.ts';
import { type PlanForm, planQuestion, replanQuestion } from '../prompts/plan.ts';
import { stepText } from '../prompts/subtask.ts';
import type { MessageCause } from '../schema/model/message-cause.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { DriverView } from './driver.ts';

const MAX_FILES = 20;

/** The first question, and the question that replaces it after a refused answer. */
const WITH_FORM: ReadonlySet<MessageCause> = new Set(['plan_question', 'plan_refused']);

/** @param look what was seen of the folder, or '' */
export const composePlan = (view: DriverView, look = ''): string =>
  planQuestion(goalToTell(view.state), view.world.files(MAX_FILES), formOf(view), look);

function formOf({ state, installed, names, plannable }: DriverView): PlanForm {
  const examples = planExamples(installed, state.goal).text;
  const isParallel = (state.limits.parallel ?? 1) > 1;
  return { examples, plannable, names, withTests: state.withTests === true, isParallel };
}

export function composeReplan(view: DriverView, look = ''): string {
  const { state, world } = view;
  const subtasks = state.plan ? subtasksOf(state.plan) : [];
  return replanQuestion({
    goal: goalToTell(state),
    why: state.replan?.why ?? '',
    done: subtasks.filter((one) => one.status === 'completed').map(stepText),
    files: world.files(MAX_FILES),
    look,
    form: formOf(view),
    withForm: !state.conversation.some(({ cause }) => cause !== null && WITH_FORM.has(cause)),
  });
}

/** The goal without the form of plans, if the plan was given with the goal. */
export function composeGoal({ state, world }: DriverView): string {
  const files = world.files(MAX_FILES);
  const seen = files.length > 0 ? [`Files here: ${files.join(', ')}`] : [];
  return [...seen, `GOAL: ${goalToTell(state)}`].join('\n');
}
