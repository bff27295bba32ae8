/** The policy combined with a person's answer to exactly this call. */
import type { PermissionAnswer } from '../../schema/journal/permissions.ts';
import type { CallDecision, Decide } from '../../tools/decision.ts';
import { toolNamed } from '../../tools/toolset.ts';
import type { RunPorts } from '../run-ports.ts';
import { type FolderPort, folderNeededBy, refusalFor } from './folder-question.ts';
import { type QuestionPort, questionFor } from './permission-request.ts';
import type { Approver } from './person.ts';

/** The answers so far. */
interface Answers extends Pick<RunPorts, 'context'> {
  readonly asking: Pick<Approver, 'isYes' | 'isOwn'>;
}

export type DecidePort = QuestionPort & FolderPort & Answers & Pick<RunPorts, 'tools'>;

/** Consent to a call also lets it run outside the sandbox. */
export const YES: CallDecision = { kind: 'allow', isUnsandboxed: true, isAllowedByUser: true };

/** @param decide the policy of the folder that the call works in */
export const withAnswers =
  (run: DecidePort, decide: Decide): Decide =>
  async (request) => {
    const decision = await decide(request);
    const wanted = decision.kind === 'deny' ? null : await folderNeededBy(request, run);
    if (wanted?.isNeeded) return refusalFor(wanted, run);
    if (decision.kind !== 'ask') return decision;
    const tool = toolNamed(run.tools, request.tool);
    if (run.asking.isYes || tool === null) return run.asking.isYes ? YES : decision;
    const question = await questionFor({ ...request, tool }, decision, run);
    // The tool itself reports the missing program in better words.
    if (question === 'missing') return { kind: 'allow' };
    const answer = answerTo(question.id, run);
    return answer === null ? decision : decisionBy(answer);
  };

/** This user's answer to a call. There is only one: a second is refused when it is given. */
export function answerTo(id: string, { context, asking }: Answers): PermissionAnswer | null {
  const about = context.state.permissions?.answers.filter((one) => one.id === id) ?? [];
  // A long text in a changed input is stored in a separate file.
  const whole = about.map((one) => context.journal.readBack(one) as PermissionAnswer);
  return whole.findLast((one) => asking.isOwn(one)) ?? null;
}

/** The same for a call of the model, which a yes allows only once. */
export function unusedAnswerTo(id: string, run: Answers): PermissionAnswer | null {
  const answer = answerTo(id, run);
  return answer?.allowed && answer.isUsed ? null : answer;
}

export const decisionBy = ({ allowed, why }: PermissionAnswer): CallDecision =>
  allowed
    ? YES
    : {
        kind: 'deny',
        reason: why === '' ? 'The user said no.' : `The user said no: ${why.replace(/\w$/, '$&.')}`,
        hint: 'Do without it.',
      };
