/**
 * What a step would need a yes for is asked before it is taken, so that question and answer are
 * durable by themselves: killed in between, the next start asks again, or goes on with the answer.
 * 1. An answer counts for exactly the call that was asked about.
 * 2. Without a person the first such call is refused and noted; the second one pauses the run.
 * 3. What is interrupted while a person is asked stays open.
 * 4. Nobody is asked about a call that would not be made after a yes: one that has to wait for a plan.
 */
import { blockReason } from '../../context-manager/loop-detector.ts';
import { visible } from '../../lib/visible.ts';
import type { ToolCall } from '../../schema/messages.ts';
import type { OpenWish } from '../../schema/permissions.ts';
import { dueChecks } from '../../steps/claim.ts';
import type { Step } from '../../steps/step.ts';
import { type PolicyRequest, requestOf } from '../../tools/decision.ts';
import { callThat } from '../../tools/toolset.ts';
import { validateCall } from '../../tools/validate-call.ts';
import { denyReason } from '../deny.ts';
import type { Run } from '../run.ts';
import { noteWish, putToPerson, recordLeft } from './ask-person.ts';
import { answerTo, type DecidePort } from './decide.ts';
import { type FolderPort, folderQuestion, folderWantedBy, leftOutText } from './folder-question.ts';
import type { Question } from './person.ts';
import { questionFor } from './wish.ts';

export type AskFirstPort = DecidePort &
  FolderPort &
  Pick<Run, 'context' | 'names' | 'asking' | 'policy' | 'clock' | 'signal' | 'emit'>;

type Pause = Extract<Step, { do: 'pause' }>;

/** `null`: the step may be taken, whatever becomes of its calls. */
export async function askFirst(step: Step, run: AskFirstPort): Promise<Pause | null> {
  const wished = callOf(step, run);
  if (wished === null) return null;
  const paused = await askForFolder(wished, run);
  if (paused !== null || run.asking.isYes) return paused;
  const question = await openQuestion(wished, run);
  if (question === null) return null;
  recordLeft(run);
  if (answerTo(question.id, run) !== null) return null;
  return run.asking.person === null ? noted(question, run) : asked(question, run);
}

/** Before the command that would use it: whatever is answered, the command itself is judged as ever. */
async function askForFolder(wished: Wished, run: AskFirstPort): Promise<Pause | null> {
  const valid = validateCall(wished.call, run.tools);
  const target = valid.kind === 'valid' ? (valid.tool.target?.(valid.args) ?? null) : null;
  const wanted = await folderWantedBy(target, run);
  if (valid.kind === 'invalid' || wanted === null || isHeldBack(valid, wished, run)) return null;
  recordLeft(run);
  if (!run.folders.isOpen(wanted.offer)) return null;
  const question = folderQuestion(wanted, wished.call.id, run);
  if (run.asking.person !== null) return asked(question, run);
  if (wanted.isNeeded) return noted(question, run);
  if (run.folders.isNews(wanted.offer))
    run.emit({ type: 'notice', level: 'warning', text: leftOutText(wanted) });
  return null;
}

function isHeldBack(valid: Valid, { asker }: Wished, run: AskFirstPort): boolean {
  const { tool, args, signature } = valid;
  const isModel = asker === 'model';
  if (isModel && blockReason(run.context.state.loop, signature) !== null) return true;
  if (isModel && denyReason(run, tool, args) !== null) return true;
  return run.policy.decideNow(requestOf(tool, args, asker)).kind === 'deny';
}

type Valid = Extract<ReturnType<typeof validateCall>, { kind: 'valid' }>;

interface Wished {
  readonly call: ToolCall;
  readonly asker: PolicyRequest['asker'];
}

function callOf(step: Step, { context, tools }: AskFirstPort): Wished | null {
  const { state } = context;
  if (step.do === 'execute') {
    return { call: context.journal.readBack(step.call) as ToolCall, asker: 'model' };
  }
  const command = (check: object | undefined): Wished | null => {
    if (check === undefined || !('cmd' in check) || typeof check.cmd !== 'string') return null;
    const stdin = 'stdin' in check && typeof check.stdin === 'string' ? check.stdin : undefined;
    const call = callThat(tools, 'runs_commands', { cmd: check.cmd, stdin });
    return call === null ? null : { call: { id: '', ...call }, asker: 'engine' };
  };
  if (step.do === 'check') return command(dueChecks(state)[step.index]?.check);
  return step.do === 'prove' ? command(state.plan?.proof) : null;
}

async function openQuestion({ call, asker }: Wished, run: AskFirstPort): Promise<Question | null> {
  const valid = validateCall(call, run.tools);
  if (valid.kind === 'invalid') return null;
  if (asker === 'model' && blockReason(run.context.state.loop, valid.signature) !== null)
    return null;
  const decision = run.policy.decideNow(requestOf(valid.tool, valid.args, asker));
  if (decision.kind !== 'ask') return null;
  if (asker === 'model' && denyReason(run, valid.tool, valid.args) !== null) return null;
  const question = await questionFor(valid, decision, run, call.id);
  return question === 'missing' ? null : question;
}

/** Invariant 2. */
function noted(question: Question, run: AskFirstPort): Pause | null {
  const open = run.context.state.permissions?.open ?? [];
  return noteWish(question, run) ? waiting(open) : null;
}

/**
 * All that was noted, for the one command that gives it.
 * @param said what the model said when it gave up for want of it
 */
export const waiting = (open: readonly OpenWish[], said: string | null = null): Pause => ({
  do: 'pause',
  why: 'waiting_for_person',
  detail: [
    ...open.map(({ target, reason }) => `${visible(target)}: ${visible(reason)}`),
    ...(said === null ? [] : [`The model says: ${said}`]),
  ].join('\n'),
});

const asked = async (question: Question, run: AskFirstPort): Promise<Pause | null> =>
  (await putToPerson(question, run))
    ? null
    : { do: 'pause', why: 'interrupted', detail: 'stopped while a question was open' };
