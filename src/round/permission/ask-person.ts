/** Asks a person a question and records the outcome. */
import { BY_LIBRARY, type Permissions } from '../../schema/journal/permissions.ts';
import type { RunPorts } from '../run-ports.ts';
import { answersTo } from './answers-to.ts';
import type { QuestionPort } from './permission-request.ts';
import { ANSWERED, type PersonsAnswer, type Question } from './person.ts';
import { answerTo } from './with-answers.ts';

export type PersonPort = QuestionPort &
  Pick<RunPorts, 'context' | 'tools' | 'policy' | 'asking' | 'clock' | 'signal'>;

/**
 * Notes a question that nobody could be asked. Returns true if the same was noted before.
 * @param how `foreseen`: no call was made yet
 */
export function notePermissionRequest(
  question: Question,
  { context }: Pick<PersonPort, 'context'>,
  how: 'refused' | 'foreseen' = 'refused',
): boolean {
  const open = context.state.permissions?.open ?? [];
  if (open.some((one) => one.isNoted && isSameRequest(one, question))) return true;
  context.record({
    ...{ type: 'permission_noted', ...recorded(question) },
    ...(how === 'foreseen' ? { foreseen: true } : {}),
  });
  return false;
}

const recorded = ({ id, tool, target, reason, rules }: Question) => ({
  ...{ id, tool, target, reason, rules: [...rules] },
});

const isSameRequest = (one: Permissions['open'][number], { id, rules }: Question): boolean =>
  one.id === id || (rules.length > 0 && one.rules.join('\n') === rules.join('\n'));

/** Returns true once the question is answered, here or elsewhere. False: nobody answered, and it stays open. */
export async function putToPerson(question: Question, port: PersonPort): Promise<boolean> {
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
  { isForRunOnly }: Question,
): PersonsAnswer | 'left' =>
  isForRunOnly && answer !== 'left' && answer.kind === 'always'
    ? { ...answer, kind: 'run' }
    : answer;

const LOOK_MS = 300;

/** Waits for the person at the screen or for another terminal, whichever answers first. */
async function answerOf(question: Question, port: PersonPort): Promise<PersonsAnswer | 'left'> {
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

/** An answer to a question that has one already is dropped: the first answer counts. */
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
