/** The policy, with what a person answered to exactly this call. */
import type { GivenAnswer } from '../../schema/permissions.ts';
import type { RunState } from '../../schema/state.ts';
import type { Decide, Decision } from '../../tools/decision.ts';
import { toolNamed } from '../../tools/toolset.ts';
import type { Run } from '../run.ts';
import type { Asking } from './person.ts';
import { questionFor, type WishPort } from './wish.ts';

/** What was answered so far, in a run or a conversation. */
interface Answers {
  readonly context: { readonly state: Pick<RunState, 'permissions'> };
  readonly asking: Pick<Asking, 'isYes' | 'isOwn'>;
}

export type DecidePort = WishPort & Answers & Pick<Run, 'tools'>;

/** Whoever says yes to a call lets it through the wall. */
const YES: Decision = { kind: 'allow', isOpen: true };

/** @param decide of the folder that the call works in */
export const withAnswers =
  (run: DecidePort, decide: Decide): Decide =>
  async (request) => {
    const decision = await decide(request);
    if (decision.kind !== 'ask') return decision;
    const tool = toolNamed(run.tools, request.tool);
    if (run.asking.isYes || tool === null) return run.asking.isYes ? YES : decision;
    const question = await questionFor({ tool, args: request.args }, decision, run);
    // Its tool says that the program is missing, in better words.
    if (question === 'missing') return { kind: 'allow' };
    const answer = answerTo(question.id, run);
    return answer === null ? decision : decisionBy(answer);
  };

/** The last one that this user gave. */
export const answerTo = (id: string, { context, asking }: Answers): GivenAnswer | null =>
  context.state.permissions?.answers.findLast((one) => one.id === id && asking.isOwn(one)) ?? null;

const decisionBy = ({ allowed, why }: GivenAnswer): Decision =>
  allowed
    ? YES
    : {
        kind: 'deny',
        reason: why === '' ? 'The user said no.' : `The user said no: ${why}`,
        hint: 'Do without it.',
      };
