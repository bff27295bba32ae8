/** The plan question of both drivers. */
import { planExamples } from '../languages/plan-examples.ts';
import { planQuestion, replanQuestion } from '../prompts/plan.ts';
import { stepText } from '../prompts/subtask.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { DriverView } from './driver.ts';

const MAX_FILES = 20;

export const composePlan = ({ state, world, installed }: DriverView): string =>
  planQuestion(state.goal, world.files(MAX_FILES), planExamples(installed).text);

export function composeReplan({ state, world, installed }: DriverView): string {
  const subtasks = state.plan ? subtasksOf(state.plan) : [];
  return replanQuestion({
    goal: state.goal,
    why: state.replan?.why ?? '',
    done: subtasks.filter((one) => one.status === 'completed').map(stepText),
    files: world.files(MAX_FILES),
    examples: state.beside === null ? null : planExamples(installed).text,
  });
}
