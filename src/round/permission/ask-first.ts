/**
 * Asks for consent before a step is taken, so that question and answer are durable by themselves. After a kill
 * in between, the next start asks again or continues with the answer.
 * 1. An answer applies to exactly the call that was asked about.
 * 2. If no person is present, the first such call is refused and noted, since the model may know another way;
 *    the second one pauses the run. The engine knows no other way, so a check of its own pauses the run at
 *    once and runs when it is allowed.
 * 3. A question that is interrupted stays open.
 * 4. Nobody is asked about a call that would not be made even with consent, such as one that must wait for a
 *    plan.
 * 5. A person may take hours. After an answer, the call is judged again by the current state.
 */
import { blockReason } from '../../context-manager/loop-detector.ts';
import { visible } from '../../lib/text/visible.ts';
import type { OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { dueChecks } from '../../steps/gate/claim.ts';
import type { Step } from '../../steps/step.ts';
import { type ReadCall, readCall } from '../../tools/calls/read-call.ts';
import { type CallDecision, type PolicyRequest, policyRequestOf } from '../../tools/decision.ts';
import { commandCall } from '../../tools/toolset.ts';
import { denyReason } from '../deny.ts';
import { driverIn } from '../driver-view.ts';
import type { RunPorts } from '../run-ports.ts';
import { notePermissionRequest, putToPerson, recordLeft } from './ask-person.ts';
import {
  type FolderPort,
  folderNeededBy,
  folderQuestion,
  leftOutText,
  type NeededFolder,
  refusalFor,
} from './folder-question.ts';
import { noteForeseen } from './foreseen.ts';
import type { JudgedCall, ReadyStep } from './judged-call.ts';
import { type CallToApprove, questionFor } from './permission-request.ts';
import type { PermissionQuestion } from './person.ts';
import { answerTo, type DecidePort, decisionBy, unusedAnswerTo, YES } from './with-answers.ts';

export type AskFirstPort = DecidePort &
  FolderPort &
  Pick<RunPorts, 'context' | 'names' | 'asking' | 'policy' | 'clock' | 'signal' | 'emit'>;

type Pause = Extract<Step, { do: 'pause' }>;

/** Returns the step with its call judged, or a pause in its place. */
export async function askFirst(step: Step, run: AskFirstPort): Promise<ReadyStep> {
  const { state, journal } = run.context;
  switch (step.do) {
    case 'execute': {
      const call = journal.readBack(step.call) as ToolCall;
      const judged = await authorize({ call, asker: 'model' }, run);
      if ('do' in judged) return judged;
      await noteForeseen(judged.read, run);
      return { do: 'execute', judged };
    }
    case 'check':
      return withCommand(step, dueChecks(state)[step.index]?.check, run);
    case 'prove':
      return withCommand(step, state.plan?.proof, run);
    default:
      return step;
  }
}

async function withCommand<Checking extends Extract<Step, { do: 'check' | 'prove' }>>(
  step: Checking,
  check: object | undefined,
  run: AskFirstPort,
): Promise<Pause | (Checking & { readonly judged: JudgedCall | null })> {
  const call = commandOf(check, run);
  const judged = call === null ? null : await authorize({ call, asker: 'engine' }, run);
  return judged !== null && 'do' in judged ? judged : { ...step, judged };
}

/** True if the rules alone neither allow nor refuse the command of a check. */
export function wouldAsk(
  check: object,
  run: Pick<RunPorts, 'tools' | 'toolContext' | 'policy' | 'asking'>,
): boolean {
  const call = commandOf(check, run);
  if (call === null || run.asking.isYes) return false;
  const { valid, line } = readCall(call, { tools: run.tools, context: run.toolContext });
  if (valid.kind === 'invalid') return false;
  const request = policyRequestOf(valid.tool, valid.args, 'engine', line);
  return run.policy.decideNow(request).kind === 'ask';
}

function commandOf(check: object | undefined, { tools }: Pick<RunPorts, 'tools'>): ToolCall | null {
  if (check === undefined || !('cmd' in check) || typeof check.cmd !== 'string') return null;
  const stdin = 'stdin' in check && typeof check.stdin === 'string' ? check.stdin : undefined;
  const call = commandCall(tools, { cmd: check.cmd, stdin });
  return call === null ? null : { id: '', ...call };
}

interface PreparedQuestion {
  readonly call: ToolCall;
  readonly asker: PolicyRequest['asker'];
  readonly isChanged?: true;
  /** Ids of the questions whose answers changed the decision. */
  readonly answered?: readonly string[];
  /** A person has answered in the meantime: the call is judged by the current state and not asked about again. */
  readonly isAsked?: true;
}

async function authorize(
  prepared: PreparedQuestion,
  run: AskFirstPort,
): Promise<JudgedCall | Pause> {
  const { call, asker, answered = [] } = prepared;
  const read = readCall(call, { tools: run.tools, context: run.toolContext });
  const { valid, line } = read;
  const held = asker === 'model' ? refusalsOf(read, run) : NOT_REFUSED;
  const judged = { call, read, answered, ...held };
  const why = held.blocked ?? (valid.kind === 'invalid' ? valid.message : held.denied);
  // Invariant 4.
  if (valid.kind === 'invalid' || why !== null)
    return { ...judged, decision: { kind: 'deny', reason: why ?? '', hint: '' } };
  const request = policyRequestOf(valid.tool, valid.args, asker, line);
  const byRules = run.policy.decideNow(request);
  if (byRules.kind === 'deny') return { ...judged, decision: byRules };
  const folder = await folderVerdict(request, call.id, run);
  if (folder === 'asked') return authorize(prepared, run);
  if (folder !== null) return 'do' in folder ? folder : { ...judged, decision: folder };
  if (byRules.kind === 'allow') return { ...judged, decision: byRules };
  const said = await personsAnswerTo({ ...prepared, byRules, asked: { ...valid, line } }, run);
  if ('do' in said) return said;
  return 'decision' in said ? { ...judged, ...said } : authorize(said, run);
}

type Refusals = Pick<JudgedCall, 'blocked' | 'denied'>;

const NOT_REFUSED: Refusals = { blocked: null, denied: null };

const refusalsOf = ({ valid, line }: ReadCall, run: AskFirstPort): Refusals => ({
  blocked: blockReason(run.context.state.loop, valid.signature),
  denied: valid.kind === 'invalid' ? null : denyReason(run, valid, line),
});

/** Decides about a program folder before the command that would use it; `null`: no folder needs a decision. */
async function folderVerdict(
  request: PolicyRequest,
  callId: string,
  run: AskFirstPort,
): Promise<CallDecision | Pause | 'asked' | null> {
  const wanted = await folderNeededBy(request, run);
  if (wanted === null) return null;
  recordLeft(run);
  const put = run.folders.isUnanswered(wanted.offer)
    ? await askForFolder(wanted, callId, run)
    : null;
  if (put !== null) return put;
  const missing = await folderNeededBy(request, run);
  return missing?.isNeeded ? refusalFor(missing, run) : null;
}

async function askForFolder(
  wanted: NeededFolder,
  callId: string,
  run: AskFirstPort,
): Promise<Pause | 'asked' | null> {
  const question = folderQuestion(wanted, callId, run);
  if (run.asking.person !== null) return putQuestionAgain(question, run);
  if (wanted.isNeeded) return noted(question, 'model', run);
  if (run.folders.noteLeftOut(wanted.offer))
    run.emit({ type: 'notice', level: 'warning', text: leftOutText(wanted) });
  return null;
}

interface UndecidedCall extends PreparedQuestion {
  readonly byRules: Extract<CallDecision, { kind: 'ask' }>;
  readonly asked: CallToApprove;
}

/** The person's decision about a call that needs consent; a different call if the person changed it. */
async function personsAnswerTo(
  { byRules, asked: about, ...prepared }: UndecidedCall,
  run: AskFirstPort,
): Promise<PersonsDecision | PreparedQuestion | Pause> {
  const { call, asker, isChanged, isAsked, answered = [] } = prepared;
  const { isYes } = run.asking;
  const mayChange = asker === 'model' && isChanged !== true;
  if (isYes && !(mayChange && hasChanges(run))) return { decision: YES };
  const question = await questionFor(about, byRules, run, call.id);
  // The tool itself reports the missing program in better words.
  if (question === 'missing') return { decision: isYes ? YES : { kind: 'allow' } };
  const known = asker === 'model' ? unusedAnswerTo : answerTo;
  const isAnswered = isYes || isAsked === true || isAnsweredBy(known, question, run);
  const put = isAnswered ? null : await putQuestion(question, asker, run);
  if (put !== null) return put === 'asked' ? { ...prepared, isAsked: true } : put;
  const answer = known(question.id, run);
  const used = answer === null ? {} : { answered: [...answered, answer.id] };
  if (mayChange && answer?.allowed && answer.input !== undefined)
    return { ...prepared, ...used, call: { ...call, args: answer.input }, isChanged: true };
  if (isYes) return { decision: YES };
  return answer === null ? { decision: byRules } : { decision: decisionBy(answer), ...used };
}

type PersonsDecision = Pick<JudgedCall, 'decision'> & Partial<Pick<JudgedCall, 'answered'>>;

const hasChanges = ({ context: { state } }: AskFirstPort): boolean =>
  (state.permissions?.answers ?? []).some(({ input }) => input !== undefined);

/** True also for an answer that was left from elsewhere. */
function isAnsweredBy(
  known: typeof answerTo,
  { id }: PermissionQuestion,
  run: AskFirstPort,
): boolean {
  recordLeft(run);
  return known(id, run) !== null;
}

async function putQuestion(
  question: PermissionQuestion,
  asker: PolicyRequest['asker'],
  run: AskFirstPort,
): Promise<Pause | 'asked' | null> {
  return run.asking.person === null ? noted(question, asker, run) : putQuestionAgain(question, run);
}

/** Invariant 2. */
function noted(
  question: PermissionQuestion,
  asker: PolicyRequest['asker'],
  run: AskFirstPort,
): Pause | null {
  const isEngines = asker === 'engine';
  const isKnown = notePermissionRequest(question, run, isEngines ? 'foreseen' : 'refused');
  return (isKnown || isEngines) && driverIn(run).waitsForPerson
    ? waiting(run.context.state.permissions?.open ?? [])
    : null;
}

/** Pauses for all noted permissions, which one command can grant. */
export const waiting = (open: readonly OpenPermissionRequest[]): Pause => ({
  do: 'pause',
  why: 'waiting_for_person',
  detail: open.map(({ target, reason }) => `${visible(target)}: ${visible(reason)}`).join('\n'),
});

async function putQuestionAgain(
  question: PermissionQuestion,
  run: AskFirstPort,
): Promise<Pause | 'asked'> {
  if (await putToPerson(question, run)) return 'asked';
  return run.signal.aborted
    ? { do: 'pause', why: 'interrupted', detail: 'stopped while a question was open' }
    : waiting(run.context.state.permissions?.open ?? []);
}
