/** Asks a person a question and records the outcome. */

import stringify from 'fast-json-stable-stringify';
import { BY_LIBRARY, type PermissionState } from '../../schema/journal/permissions.ts';
import type { RecordOf } from '../../schema/records.ts';
import { validateCall } from '../../tools/calls/validate-call.ts';
import { policyRequestOf } from '../../tools/decision.ts';
import type { RunPorts } from '../run-ports.ts';
import { type QuestionPort, questionFor } from './permission-request.ts';
import { ANSWERED, type PermissionQuestion, type PersonsAnswer } from './person.ts';
import { answerTo } from './with-answers.ts';

export type PersonPort = QuestionPort &
  Pick<RunPorts, 'context' | 'tools' | 'policy' | 'asking' | 'clock' | 'signal'>;

/**
 * Notes a question that nobody could be asked. Returns true if the same was noted before.
 * @param how `foreseen`: no call was made yet
 */
export function notePermissionRequest(
  question: PermissionQuestion,
  { context }: Pick<PersonPort, 'context'>,
  how: 'refused' | 'foreseen' = 'refused',
): boolean {
  const open = context.state.permissions?.open ?? [];
  if (open.some((one) => one.isNoted && isSameRequest(one, question))) return true;
  context.record({
    type: 'permission_noted',
    ...recorded(question),
    ...(how === 'foreseen' ? { foreseen: true } : {}),
  });
  return false;
}

const recorded = ({ id, tool, target, reason, rules }: PermissionQuestion) => ({
  id,
  tool,
  target,
  reason,
  rules: [...rules],
});

const isSameRequest = (
  one: PermissionState['open'][number],
  { id, rules }: PermissionQuestion,
): boolean => one.id === id || (rules.length > 0 && one.rules.join('\n') === rules.join('\n'));

/** Returns true once the question is answered, here or elsewhere. False: nobody answered, and it stays open. */
export async function putToPerson(
  question: PermissionQuestion,
  port: PersonPort,
): Promise<boolean> {
  const { context, asking } = port;
  const words = `${question.tool} ${question.target}`.trim();
  context.record({ type: 'approval_asked', question: words, ...recorded(question) });
  const answer = withinOffer(await answerOf(question, port), question);
  if (answer === 'left') return true;
  if (answer.kind === 'none') return false;
  const records = await answersTo(question, answer, port);
  // A changed input can turn the yes into a no.
  if (answer.kind === 'always' && records.every(({ allowed }) => allowed)) {
    const { by = BY_LIBRARY.by, door = BY_LIBRARY.door } = answer;
    asking.saveRules(question.offered, { by, door, run: context.state.run });
  }
  for (const record of records) context.record(record);
  return true;
}

/** Limits an answer to what was offered, which its giver may not know. */
const withinOffer = (
  answer: PersonsAnswer | 'left',
  { isForRunOnly }: PermissionQuestion,
): PersonsAnswer | 'left' =>
  isForRunOnly && answer !== 'left' && answer.kind === 'always'
    ? { ...answer, kind: 'run' }
    : answer;

const LOOK_MS = 300;

/** Waits for the person at the screen or for another terminal, whichever answers first. */
async function answerOf(
  question: PermissionQuestion,
  port: PersonPort,
): Promise<PersonsAnswer | 'left'> {
  const { clock, signal, asking } = port;
  const stop = new AbortController();
  const left = () => {
    recordLeft(port);
    return answerTo(question.id, port);
  };
  // A full disk, for example: it is thrown where the run can pause for it, which a timer cannot.
  let failure: { readonly error: unknown } | null = null;
  const look = (): void => {
    if (stop.signal.aborted) return;
    try {
      const answer = left();
      if (answer !== null) stop.abort(answer.allowed ? ANSWERED.once : ANSWERED.no);
    } catch (error) {
      failure = { error };
      stop.abort(ANSWERED.no);
    }
  };
  const stopLooking = clock.every?.(LOOK_MS, look);
  try {
    const answer = await (asking.person?.(question, AbortSignal.any([signal, stop.signal])) ??
      Promise.resolve({ kind: 'none' as const }));
    const failed = failure as { readonly error: unknown } | null;
    if (failed !== null) throw failed.error;
    return stop.signal.aborted ? 'left' : answer;
  } finally {
    stopLooking?.();
  }
}

/** A second answer to a question is dropped: the first one counts. */
export function recordLeft({ context, asking }: Pick<PersonPort, 'context' | 'asking'>): void {
  asking.left.take((answers) => {
    for (const { id, allowed, why, by, door } of answers) {
      if (!context.state.permissions?.open.some((one) => one.id === id)) continue;
      const approver = { by, door };
      context.record({ type: 'approval_given', id, allowed, why, scope: 'call', ...approver });
    }
    if (answers.length > 0) context.sync('question');
  });
}

type PersonsDecision = Exclude<PersonsAnswer, { kind: 'none' }>;
type Answered = RecordOf<'approval_given'>;

/** A changed input is checked and judged like a call of the model. */
async function answersTo(
  question: PermissionQuestion,
  answer: PersonsDecision,
  run: QuestionPort & Pick<RunPorts, 'tools' | 'policy'>,
): Promise<readonly Answered[]> {
  const input = answer.kind === 'no' ? undefined : answer.input;
  const isUnchanged = input === undefined || stringify(input) === stringify(question.input);
  if (isUnchanged) return recordsOf(question, answer);
  const { tool, callId } = question;
  const { by, door } = answer;
  const refused = (why: string) => recordsOf(question, { kind: 'no', why, by, door });
  const valid = validateCall({ id: callId, name: tool, args: input }, run.tools);
  if (valid.kind === 'invalid')
    return refused(`The changed input cannot be used: ${valid.message}`);
  const decision = run.policy.decideNow(policyRequestOf(valid.tool, valid.args, 'model'));
  if (decision.kind === 'deny')
    return refused(`The changed input is not allowed: ${decision.reason}`);
  const [first, ...rules] = recordsOf(question, answer);
  const changed = first === undefined ? [] : [{ ...first, input: { ...valid.args } }];
  if (decision.kind === 'allow') return [...changed, ...rules];
  // The person who wrote the input has consented to it.
  const own = await questionFor(valid, decision, run, callId);
  const yes =
    own === 'missing' ? [] : recordsOf({ ...own, offered: [] }, { kind: 'once', by, door });
  return [...changed, ...yes, ...rules];
}

function recordsOf(
  { id, offered }: PermissionQuestion,
  answer: PersonsDecision,
): readonly Answered[] {
  const { by = BY_LIBRARY.by, door = BY_LIBRARY.door } = answer;
  const of = { type: 'approval_given', id, by, door } as const;
  const yes = { ...of, allowed: true, why: 'a person said yes' } as const;
  const rulesFor = (scope: 'run' | 'here') =>
    offered.map((rule) => ({ ...yes, id: 'rule', rule, scope }) as const);
  switch (answer.kind) {
    case 'once':
      return [{ ...yes, scope: 'call' }];
    case 'run':
      return [{ ...yes, scope: 'call' }, ...rulesFor('run')];
    case 'always':
      return [{ ...yes, scope: 'call' }, ...rulesFor('here')];
    case 'no':
      return [{ ...of, allowed: false, why: answer.why, scope: 'call' }];
    default:
      return answer satisfies never;
  }
}
