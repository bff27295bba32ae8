/**
 * Asks for approval of a plan that a person wanted to see before any work.
 * 1. No work is done before the answer is in the journal. After a kill in between, the next start asks again.
 * 2. The approved plan is the one in the journal, whoever wrote it; nobody is asked about it twice.
 */
import { plannableOf } from '../../decompose/plan-schema.ts';
import type { PlanReading } from '../../decompose/plan-text/read-plan.ts';
import { planText } from '../../decompose/plan-text/write-plan.ts';
import { type Plan, subtasksOf } from '../../schema/plan.ts';
import type { Paused } from '../../schema/state.ts';
import type { RunPorts } from '../run-ports.ts';
import { missingPrograms } from './missing-programs.ts';
import type { PlanQuestion } from './plan-review.ts';

type AgreePort = Pick<
  RunPorts,
  'context' | 'asking' | 'tools' | 'names' | 'policy' | 'isInstalled' | 'toolContext' | 'signal'
>;

const MAX_FAULTS = 50;

/** `null`: approved and journalled. */
export async function agreePlan(run: AgreePort): Promise<Paused | null> {
  const { context, asking, signal } = run;
  const { goal, brief = null, plan } = context.state;
  if (plan === null) return null;
  if (asking.isYes || asking.isPlanAgreed) return record(run, plan, 'caller');
  if (asking.plan === null) return WAITING;
  const tools = plannableOf(run.tools);
  const faultOf = async (text: string): Promise<string> =>
    faultIn(await readGiven(text, plan, run));
  // Whoever is shown the plan may take hours.
  context.sync('question');
  let asked: PlanQuestion = { goal, brief, plan, text: planText(plan, tools), fault: '', faultOf };
  for (let faults = 0; faults <= MAX_FAULTS; faults += 1) {
    const answer = await asking.plan(asked, signal);
    if (answer.kind === 'yes') return record(run, plan, 'person');
    if (answer.kind === 'no') return REFUSED;
    if (answer.kind === 'none') break;
    const reading = await readGiven(answer.text, plan, run);
    if (reading.ok) return record(run, reading.plan, 'person');
    const fault = faultIn(reading);
    asked = { ...asked, text: withNote(answer.text, fault), fault };
  }
  return signal.aborted
    ? { why: 'interrupted', detail: 'stopped while the plan was shown' }
    : WAITING;
}

const faultIn = (reading: PlanReading): string =>
  reading.ok ? '' : `Line ${reading.line}: ${reading.fault}`;

/** Tells the person how a later plan differs from the approved one. */
export function reportDeparture(
  { context, emit }: Pick<RunPorts, 'context' | 'emit'>,
  plan: Plan,
  why: string,
): void {
  const { agreement, plan: before } = context.state;
  if (agreement === undefined || agreement === 'due' || before === null) return;
  const [was, is] = [namesIn(before), namesIn(plan)];
  const changes = [
    ...was.filter((one) => !is.includes(one)).map((one) => `no longer: ${one}`),
    ...is.filter((one) => !was.includes(one)).map((one) => `new: ${one}`),
    ...(before.proof?.cmd === plan.proof?.cmd
      ? []
      : [`the proof is ${plan.proof?.cmd ?? 'left out'}, not ${before.proof?.cmd ?? 'left out'}`]),
  ];
  if (changes.length === 0) return;
  const text = `The plan that you agreed to is changed (${why}): ${changes.join('; ')}.`;
  emit({ type: 'notice', level: 'warning', text });
}

const namesIn = (plan: Plan): readonly string[] =>
  subtasksOf(plan).map(({ purpose, step }) =>
    step === undefined ? purpose : `${step.action} ${step.target}`,
  );

const WAITING: Paused = {
  why: 'waiting_for_person',
  detail: 'The plan waits for your yes; nothing was done.',
};

const REFUSED: Paused = {
  why: 'waiting_for_person',
  detail: 'The plan was not agreed to; nothing was done.',
};

function record(run: AgreePort, plan: Plan, by: 'person' | 'caller'): null {
  const { context } = run;
  const isAsItWas = isSamePlan(plan, context.state.plan);
  context.record({
    type: 'plan_set',
    plan,
    why: isAsItWas ? 'agreed to' : 'edited and agreed to',
    by,
  });
  context.sync('question');
  return null;
}

export const isSamePlan = (one: Plan, other: Plan | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Reads a plan that a person wrote; its proof must be runnable here. */
export async function readGiven(
  text: string,
  before: Plan,
  run: Pick<AgreePort, 'tools' | 'policy' | 'isInstalled' | 'toolContext'>,
): Promise<PlanReading> {
  // Loaded only on use: approving an unchanged plan needs no parser.
  const { readPlanText } = await import('../../decompose/plan-text/read-plan.ts');
  const reading = readPlanText(text, { before, tools: plannableOf(run.tools) });
  const cmd = reading.ok ? (reading.plan.proof?.cmd ?? '') : '';
  if (!reading.ok || cmd === '') return reading;
  // Subtasks may name the command too; the proof comes last.
  const line = text.split('\n').findLastIndex((one) => one.includes(cmd)) + 1;
  const refused = run.policy.commandFault(cmd);
  if (refused !== null) return { ok: false, line, fault: `The proof cannot be run. ${refused}` };
  const { platform } = run.toolContext.processes;
  const { isInstalled } = run;
  const missing = (await missingPrograms([cmd], { platform, isInstalled })).get(cmd) ?? [];
  return missing.length === 0
    ? reading
    : {
        ok: false,
        line,
        fault: `The proof cannot be run: ${missing.join(', ')} is not installed.`,
      };
}

/** Puts the note in the first line, so that an editor shows it. */
function withNote(text: string, note: string): string {
  const own = text.replace(/^<!-- Line [^\n]* -->\n\n/, '');
  return `<!-- ${note.replaceAll('--', '- -')} -->\n\n${own}`;
}
