/**
 * Pure: plans that show a model the form of a plan, for a language that the goal is about. Small models may copy parts
 * of them, so they are about unusual goals: nobody mistakes a tip calculator for a part of something else.
 */
import type { Installed, PlanWords } from './language.ts';
import { LANGUAGES } from './languages.ts';
import { languagesOf } from './languages-of.ts';

export interface PlanExamples {
  /** Goals, each with its plan. */
  readonly text: string;
  /** The name of a file as it may appear in a plan. */
  readonly fileName: string;
}

const PROGRAM = {
  goal: 'Create a tip calculator',
  description: 'Tip calculator',
  stem: 'tip',
  purpose: 'asks for a bill and prints ten percent of it',
  stdin: '50',
};

const TESTED = {
  goal: 'Create a compass with tests',
  description: 'Compass',
  stem: 'compass',
  purpose: 'turn(direction, degrees) returns the new direction',
  tests: 'tests of turn: north and west',
};

/** The examples for a goal: always the same for the same goal. */
export function planExamples(installed: Installed, goal: string): PlanExamples {
  const words = wordsFor(goal, installed);
  return words === null
    ? { text: '', fileName: '' }
    : {
        text: `${programPlan(words)}\n${testedPlan(words)}`,
        fileName: words.file('name'),
      };
}

/** The words of the first language that the goal is about and that has such words. */
function wordsFor(goal: string, installed: Installed): PlanWords | null {
  const languages = [...languagesOf(goal, installed), ...LANGUAGES];
  const own = languages.map(({ runs }) => runs?.planWords?.(installed));
  return own.find((words) => words !== undefined) ?? null;
}

function programPlan(words: PlanWords): string {
  const { goal, description, stem, purpose, stdin } = PROGRAM;
  const file = words.file(stem);
  return planText(goal, [task(description, file, purpose)], { cmd: words.run(file), stdin });
}

function testedPlan(words: PlanWords): string {
  const { goal, description, stem, purpose, tests } = TESTED;
  const tasks = [
    task(description, words.file(stem), purpose),
    task('Tests', words.test(stem), tests),
  ];
  return planText(goal, tasks, { cmd: words.testRun, stdin: '' });
}

const task = (description: string, file: string, purpose: string) => ({
  description,
  subtasks: [{ action: 'write_file', file, purpose }],
});

const planText = (goal: string, tasks: readonly object[], verify: object): string =>
  `GOAL: ${goal}\n${JSON.stringify({ tasks, verify })}`;
