/** The records of an answer. A changed input is checked and judged like a call of the model. */
import stringify from 'fast-json-stable-stringify';
import { BY_LIBRARY } from '../../schema/journal/permissions.ts';
import type { RecordOf } from '../../schema/records.ts';
import { validateCall } from '../../tools/calls/validate-call.ts';
import { requestOf } from '../../tools/decision.ts';
import type { RunPorts } from '../run-ports.ts';
import { type QuestionPort, questionFor } from './permission-request.ts';
import type { PersonsAnswer, Question } from './person.ts';

type PersonsDecision = Exclude<PersonsAnswer, { kind: 'none' }>;
type Answered = RecordOf<'approval_given'>;

export async function answersTo(
  question: Question,
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
  const decision = run.policy.decideNow(requestOf(valid.tool, valid.args, 'model'));
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

function recordsOf({ id, offered }: Question, answer: PersonsDecision): readonly Answered[] {
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
