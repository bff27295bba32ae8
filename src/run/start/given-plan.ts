/** Adopts the plan of a template. It is journalled before any model is asked, so it survives a kill. */
import { misuse } from '../../lib/errors.ts';
import { driverIn, driverViewOf } from '../../round/driver-view.ts';
import { sendToModel } from '../../round/model/send-to-model.ts';
import { readGiven } from '../../round/plan/agree.ts';
import { provedAsGiven } from '../../round/plan/joined-plan.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import { BY_TEMPLATE, type Plan } from '../../schema/plan.ts';
import type { RunRequest } from '../options.ts';

const OTHER_PLAN = {
  type: 'notice',
  level: 'warning',
  text: 'This run keeps the plan that it began with: the template is for one that begins anew.',
} as const;

const NO_PLAN: Plan = { tasks: [], fallback: false };

/** The plan's text is in the first record, so later starts do not need its file. Throws E_USAGE. */
export async function adoptGivenPlan(
  run: RunPorts,
  { template: asked }: Pick<RunRequest, 'template'>,
): Promise<void> {
  const { context } = run;
  if (context.state.plan !== null && asked === null) return;
  const first = context.journal.readAt(0);
  if (first.type !== 'run_opened') return;
  const { template = '', planText } = first;
  if (asked !== null && asked.text !== planText) run.emit(OTHER_PLAN);
  if (planText === undefined || context.state.plan !== null) return;
  const reading = await readGiven(planText, NO_PLAN, run);
  if (!reading.ok)
    throw misuse(
      `The plan of the template "${template}" cannot be used. Line ${reading.line}: ${reading.fault}`,
      'Fix that and continue, or begin again with another template.',
    );
  const isTold = context.state.conversation.some(({ cause }) => cause === 'survey');
  if (!isTold)
    sendToModel(run, { cause: 'survey', text: driverIn(run).goalToWork(driverViewOf(run)) });
  const why = `of the template ${template}`;
  const plan = provedAsGiven(reading.plan, context.state);
  context.record({ type: 'plan_set', plan, why, by: BY_TEMPLATE });
  context.sync('question');
}
