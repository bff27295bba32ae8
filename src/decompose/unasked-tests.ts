/** Tests that nobody asked for, of a model whose tests contradict its code as often as not. Pure. */

import { mayAskForTests } from '../languages/goal-words.ts';
import { belongsToTests, isDataPath, isTestPath } from '../languages/languages.ts';
import { runsTests } from '../languages/test-runs.ts';
import { isCommand, isWholeWrite } from '../schema/doing.ts';
import { isModule } from './modules.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { normalPath, runCommand, writtenFiles } from './planned-work.ts';

/**
 * They are left out where a single program is written, since then running it shows what it does. A
 * module shows nothing when it is run, several files need what calls them all, and given tests are
 * the better proof: there the tests that were planned stay.
 */
export function withoutUnaskedTests(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, installed, files: given } = context;
  if (mayAskForTests(goal) || given.some(isTestPath)) return proposed;
  const files = writtenFiles(proposed).map(normalPath);
  const code = files.filter((file) => !belongsToTests(file) && !isDataPath(file));
  const programs = code.filter((file) => runCommand(file, installed) !== null);
  const [program] = programs;
  if (!files.some(belongsToTests) || program === undefined) return proposed;
  if (programs.length > 1 || isModule(program, proposed, context)) return proposed;
  const isLeft = (one: ProposedSubtask): boolean =>
    !(isWholeWrite(one) && belongsToTests(normalPath(one.target))) &&
    !(isCommand(one) && runsTests(one.target));
  const tasks = proposed.tasks.map((task) => ({
    ...task,
    subtasks: task.subtasks.filter(isLeft),
  }));
  const shown = runCommand(program, installed);
  const isTestRun = runsTests(proposed.verify?.cmd ?? '');
  const verify = isTestRun && shown !== null ? { cmd: shown } : proposed.verify;
  return { ...proposed, tasks, ...(verify ? { verify } : {}) };
}
