import type { AdoptionPlan, AdoptionReport, Dropped } from '../../host/journals/adopt-contract.ts';
import { defined } from '../../lib/defined.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { cut, oneLine, plural } from '../render/text/text.ts';
import { runId } from '../selected-run.ts';
import { agrees, list, nobodyToAsk } from './agree.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

/** `agent adopt`: shows what a run that came with the folder says and would do, asks, and takes it over. */
export async function adoptCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace, forceUnlock = false } = invocation;
  const run = runId(context);
  const plan = engine.planAdoption(workspace, run);
  if (plan === null) return printNoRun(context, EXIT.usage);
  const question = {
    text: planText(plan, terminal.program),
    question: 'Take this run over?',
    unasked: unasked(invocation.runNumber),
  };
  if (!plan.isOwn && !(await agrees(context, question))) return 0;
  const report: AdoptionReport = plan.isOwn
    ? { outcome: 'own', goal: plan.goal, dropped: { addresses: [], grants: [] } }
    : engine.adopt({ workspace, forceUnlock, ...defined({ run }) });
  if (wantsJson(context)) return printJson(context, report);
  printFolded(terminal.stdout, reportText(report, terminal.program));
  return 0;
}

const unasked = (run: number | null) =>
  nobodyToAsk(
    'E_USAGE',
    'Adopt asks before it takes over a run',
    `If you want all of that: ${AGENT} adopt ${run === null ? '' : `${run} `}--yes`,
  );

const WIDTH = 200;

function planText(plan: AdoptionPlan, agent: string): string {
  const { goal, startedAt, version, records, model, next, dropped } = plan;
  const begun = new Date(startedAt);
  const when = Number.isNaN(begun.getTime()) ? 'nobody knows when' : begun.toISOString();
  const lines = [
    'This run was not begun by your agent here. Once you take it over, all of this counts as yours:',
    `  Goal    ${short(goal)}`,
    `  Begun   ${when.slice(0, 16).replace('T', ' ')}, by version ${short(version)}, ${plural(records, 'record')}`,
    `  Model   ${model === null ? 'none yet' : `${short(model)} (another one: ${agent} resume --model NAME)`}`,
    '  and its conversation, its plan and what it says was done.',
    ...list('What it would do first:', next, short),
    ...list('No longer valid:', droppedLines(dropped), short),
  ];
  return `${lines.join('\n')}\n`;
}

const short = (text: string): string => cut(oneLine(text), WIDTH);

const droppedLines = ({ addresses, grants }: Dropped): readonly string[] => [
  ...addresses.map((address) => `the address ${address}`),
  ...grants.map((grant) => `the permission ${grant}`),
  'the list of tools as it was told',
];

function reportText({ outcome, goal, dropped }: AdoptionReport, agent: string): string {
  if (outcome === 'own') return 'This run is yours already; there is nothing to take over.\n';
  const lines = [
    `Taken over: ${short(goal)}`,
    ...list('No longer valid:', droppedLines(dropped), short),
    `  Next: ${agent} status, then ${agent} resume`,
  ];
  return `${lines.join('\n')}\n`;
}
