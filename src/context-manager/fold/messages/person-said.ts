import { defined } from '../../../lib/defined.ts';
import type { Located } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { PersonMessages } from '../../../schema/state-parts/run-facts.ts';
import type { StoredText } from '../../../schema/text.ts';

/** How many reported lines a shortened conversation still shows, and how much of each. */
const SENT_LINES = 5;
const SENT_LINE_CHARS = 300;

/**
 * A person's message waits until a later turn or action has ended. A request that is repeated after a crash is
 * then the same, whatever was said while it was in progress.
 */
export function withPerson(state: RunState, record: Located): RunState {
  if (record.type === 'person_said') return { ...state, person: personSpoke(state.person, record) };
  const { person } = state;
  if (
    state.agreement === 'unreported' &&
    record.type === 'message_added' &&
    record.cause === 'person'
  )
    return withPerson({ ...state, agreement: 'given' }, record);
  if (person === undefined || person.waiting.length === 0) return state;
  if (record.type === 'message_added' && record.cause === 'person')
    return { ...state, person: withMessagesSent(person) };
  return endsSomething(record)
    ? {
        ...state,
        person: { ...person, waiting: person.waiting.map((line) => ({ ...line, isDue: true })) },
      }
    : state;
}

const personSpoke = (
  { waiting, told }: PersonMessages = { waiting: [], told: [] },
  { seq, offset, text, parts }: Extract<Located, { type: 'person_said' }>,
): PersonMessages => ({
  waiting: [...waiting, { seq, offset, text, ...defined({ parts }), isDue: false }],
  told,
});

function withMessagesSent({ waiting, told: before }: PersonMessages): PersonMessages {
  const due = waiting.filter(({ isDue }) => isDue).map(({ text }) => beginning(text));
  return {
    waiting: waiting.filter(({ isDue }) => !isDue),
    told: [...before, ...due].slice(-SENT_LINES),
  };
}

const beginning = (text: StoredText): string =>
  (typeof text === 'string' ? text : text.head).slice(0, SENT_LINE_CHARS);

/** A failed turn is repeated with the same messages. */
function endsSomething(record: Located): boolean {
  if (record.type === 'turn_finished')
    return record.status.kind === 'success' || record.status.kind === 'truncated';
  return record.type === 'action_finished' || record.type === 'check_ran';
}
