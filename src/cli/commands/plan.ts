import { subtasksOf } from '../../schema/plan.ts';
import { describeCheck } from '../../shown/checks.ts';
import type { CommandContext } from '../command-context.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { oneLine } from '../render/text/text.ts';
import { planTree, shownPlan } from '../render/work/plan-tree.ts';
import { runId } from '../selected-run.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

/** `agent plan`: prints tasks and subtasks, what each must fulfil and where it stands. */
export async function planCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const state = engine.readRun(invocation.workspace, runId(context));
  if (state === null) return printNoRun(context);
  if (wantsJson(context)) return printJson(context, { goal: state.goal, plan: state.plan });
  if (state.plan === null) {
    printFolded(terminal.stderr, `There is no plan yet.\n  Next: ${terminal.program} resume\n`);
    return 0;
  }
  const style = createStyle(terminal, terminal.stdout);
  const lines = planTree(shownPlan(state) ?? state.plan, style.glyphs).map((line) =>
    style.paint(line.tone, line.text),
  );
  printFolded(terminal.stdout, `${lines.join('\n')}\n`);
  const subtasks = subtasksOf(state.plan);
  const checks = subtasks.flatMap(({ id, checks: wanted }) =>
    wanted.map((check) => `  ${oneLine(id)}: ${describeCheck(check)}`),
  );
  if (checks.length > 0) printFolded(terminal.stdout, `Checks:\n${checks.join('\n')}\n`);
  return 0;
}
