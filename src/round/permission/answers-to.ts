/** What is journalled of an answer. Another input than was asked about is checked and judged as a call of the model is. */
import type { RecordOf } from '../../schema/records.ts';
import { requestOf } from '../../tools/decision.ts';
import { validateCall } from '../../tools/validate-call.ts';
import type { Run } from '../run.ts';
import type { PersonsAnswer, Question } from './person.ts';
import { questionFor, type WishPort } from './wish.ts';

type Given = Exclude<PersonsAnswer, { kind: 'none' }>;
type Answered = RecordOf<'approval_given'>;

export async function answersTo(
  question: Question,
  answer: Given,
  run: WishPort & Pick<Run, 'tools' | 'policy'>,
): Promise<readonly Answered[]> {
  const input = answer.kind === 'no' ? undefined : answer.input;
  if (input === undefined) return recordsOf(question, answer);
  const { tool, callId } = question;
  const refused = (why: string) => recordsOf(question, { kind: 'no', why });
  const valid = validateCall({ id: callId, name: tool, args: input }, run.tools);
  if (valid.kind === 'invalid')
    return refused(`The changed input cannot be used: ${valid.message}`);
  const decision = run.policy.decideNow(requestOf(valid.tool, valid.args, 'model'));
  if (decision.kind === 'deny')
    return refused(`The changed input is not allowed: ${decision.reason}`);
  const [first, ...rules] = recordsOf(question, answer);
  const changed = first === undefined ? [] : [{ ...first, input: { ...valid.args } }];
  if (decision.kind === 'allow') return [...changed, ...rules];
  // Whoever wrote it has said yes to it.
  const own = await questionFor(valid, decision, run, callId);
  const yes = own === 'missing' ? [] : recordsOf({ ...own, offered: [] }, { kind: 'once' });
  return [...changed, ...yes, ...rules];
}

function recordsOf({ id, offered }: Question, answer: Given): readonly Answered[] {
  const allowed = answer.kind !== 'no';
  const why = answer.kind === 'no' ? answer.why : 'a person said yes';
  const given = { type: 'approval_given', id, allowed, why } as const;
  if (answer.kind === 'once' || answer.kind === 'no') return [{ ...given, scope: 'call' as const }];
  const scope = answer.kind === 'always' ? 'here' : 'run';
  return [
    { ...given, scope: 'call' as const },
    ...offered.map((rule) => ({ ...given, id: 'rule', rule, scope }) as const),
  ];
}
