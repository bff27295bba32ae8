/** The task of the survey, in words: the goal, the folder, and how a plan is made. */

import { commandsAtHand } from '../../languages/commands/allowed-commands.ts';
import { missingPackages, unrunnable } from '../../languages/notes.ts';
import { commandsOf } from '../../policy/words-of.ts';
import { goalToTell } from '../../prompts/goal.ts';
import { stepText } from '../../prompts/subtask.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import type { AskStep, DriverView, DriverWords } from '../driver.ts';
import { treeText } from './tree.ts';

const MAX_COMMANDS = 20;

const TESTS_ASKED =
  'Tests are asked for: write a new test file that fails without your work, name it in the plan, and let it be the proof. Leave tests that are there as they are.';

/** The only questions that are put into words: all others are the tools themselves. */
export function question({ cause, question: asked }: AskStep, view: DriverView): DriverWords {
  switch (cause) {
    case 'survey':
      return { text: surveyText(view) };
    case 'replan_question':
      return { text: replanText(view) };
    case 'plan_demanded':
      return {
        text: asked.kind === 'action' && asked.asData ? dataText(view) : demandText(view),
      };
    default:
      throw new Error(`The free driver has no words for ${cause}.`);
  }
}

const surveyText = (view: DriverView): string =>
  `${goalText(view)}
There is no plan yet. Look first, where that helps: reading, searching, running tests and reading git are open. Then call ${view.names.sets_plan}; the first work may stand in the same reply.`;

/** The message to the model when the plan came with the goal. */
export const goalToWork = (view: DriverView): string =>
  `${goalText(view)}
The plan is given: work by it.`;

function goalText(view: DriverView): string {
  const { state, world } = view;
  return [
    `GOAL: ${goalToTell(state)}`,
    ...(state.wants === 'answer' ? ['Only an answer is asked for: change nothing.'] : []),
    ...(state.withTests ? [TESTS_ASKED] : []),
    treeText(state.goal, world.files, settingsOf(state).numCtx),
    `COMMANDS: ${commandsText(view)}`,
  ].join('\n');
}

/** A missing permission is known before the plan, so that no impossible plan is made. */
function commandsText({ state, world, installed }: DriverView): string {
  const { goal, permissions } = state;
  const permitted = (permissions?.rules ?? []).flatMap(({ rule, allowed }) =>
    allowed && rule !== undefined ? (commandsOf(rule) ?? []) : [],
  );
  const all = [
    ...commandsAtHand(goal, world.files, installed, permissions?.taken ?? {}),
    ...permitted,
  ];
  const lacking = [...unrunnable(goal, installed), ...missingPackages(world.exists)];
  return `${all.slice(0, MAX_COMMANDS).join(', ')} and git that reads run unasked. Any other may need a yes of the person: once it is refused, so is every other way to it.${lacking.map((note) => ` ${note}`).join('')}`;
}

const demandText = ({ names }: DriverView): string =>
  `You have looked a good deal. Call ${names.sets_plan} now, with what you know: it can be changed later.`;

const dataText = ({ names }: DriverView): string =>
  `Your plan could not be read. Answer now with the arguments of ${names.sets_plan} alone, as one JSON object, without calling it.`;

function replanText({ state, names }: DriverView): string {
  const { done, why } = soFar(state);
  return [
    state.plan === null ? `There is no plan, but ${why}.` : `The plan did not work: ${why}`,
    `Done so far: ${done.length > 0 ? done.join('; ') : 'nothing'}.`,
    `Look at what is wrong. Then call ${names.sets_plan} with another way for what is left, or ${names.gives_up} where nothing here can reach the goal.`,
  ].join('\n');
}

function soFar({ plan, replan }: RunState) {
  const subtasks = plan ? subtasksOf(plan) : [];
  const done = subtasks.filter(({ status }) => status === 'completed' || status === 'unverified');
  return { done: done.map((one) => `${one.id} ${stepText(one)}`), why: replan?.why ?? '' };
}
