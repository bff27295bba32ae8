/** The policy, with what a person answered to exactly this call. */
import type { PermissionAnswer } from '../../schema/journal/permissions.ts';
import type { Decide, Decision } from '../../tools/decision.ts';
import { toolNamed } from '../../tools/toolset.ts';
import type { Run } from '../run.ts';
import { type FolderPort, folderNeededBy, refusalFor } from './folder-question.ts';
import { type QuestionPort, questionFor } from './permission-request.ts';
import type { Approver } from './person.ts';

/** What was answered so far. */
interface Answers extends Pick<Run, 'context'> {
  readonly asking: Pick<Approver, 'isYes' | 'isOwn'>;
}

export type DecidePort = QuestionPort & FolderPort & Answers & Pick<Run, 'tools'>;

/** Whoever says yes to a call lets it through the sandbox. */
export const YES: Decision = { kind: 'allow', isUnsandboxed: true, isAllowedByUser: true };

/** @param decide of the folder that the call works in */
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
    // Its tool says that the program is missing, in better words.
    if (question === 'missing') return { kind: 'allow' };
    const answer = answerTo(question.id, run);
    return answer === null ? decision : decisionBy(answer);
  };

/** The answer to a call that this user gave. There is one: a second is refused where it is given. */
export function answerTo(id: string, { context, asking }: Answers): PermissionAnswer | null {
  const about = context.state.permissions?.answers.filter((one) => one.id === id) ?? [];
  // A long text of a changed input lies in a file of its own.
  const whole = about.map((one) => context.journal.readBack(one) as PermissionAnswer);
  return whole.findLast((one) => asking.isOwn(one)) ?? null;
}

export const decisionBy = ({ allowed, why }: PermissionAnswer): Decision =>
  allowed
    ? YES
    : {
        kind: 'deny',
        reason: why === '' ? 'The user said no.' : `The user said no: ${why.replace(/\w$/, '$&.')}`,
        hint: 'Do without it.',
      };
