/** An answer is known where every name and figure in it was seen by the run. */
import type { ContextManager } from '../../context-manager/context-manager.ts';
import type { InPieces } from '../../lib/pieces.ts';
import { doubt, known, listed, type Verdict } from '../../probe/evidence.ts';
import { thingsAsked } from '../../probe/things-asked.ts';
import { toldIn, unseenIn } from '../../probe/unseen.ts';
import { workedOut } from '../../probe/worked-out.ts';
import type { RecordOf } from '../../schema/records.ts';
import { eachOf, type Records } from './work.ts';

export function* answerVerdict(context: ContextManager, records: Records): InPieces<Verdict> {
  const { answer, goal } = context.state;
  if (answer === null) return doubt('the goal is a question, and no answer was given');
  const text = context.textOf(answer);
  const { found, surveys } = yield* seenIn(records);
  const seen = [...found, ...surveys];
  const unseen = unseenIn(text, [goal, ...seen]);
  if (unseen.length > 0)
    return doubt(`the answer says ${listed(unseen)}, which nothing that was read or printed says`);
  const told = toldIn(text, { goal, seen });
  if (told === 0) return doubt('the answer tells nothing of what was read or printed');
  const asked = thingsAsked(goal);
  if (told < asked)
    return doubt(`the goal asks for ${asked} things, and the answer tells ${told} that was seen`);
  const own = workedOut(goal, text, found);
  if (own !== null) return doubt(own);
  return known('every name and figure of the answer was read or printed in this run');
}

interface Seen {
  /** What the run read and printed. */
  readonly found: readonly string[];
  /** The folder, as the engine saw it: its files, how many they are, and how large. */
  readonly surveys: readonly string[];
}

/** What the model itself says in a call is no finding, nor is a result that repeats its words. */
function* seenIn(records: Records): InPieces<Seen> {
  const found: string[] = [];
  const surveys: string[] = [];
  const asked = new Map<string, readonly string[]>();
  yield* eachOf(records, (record) => {
    if (record.type === 'action_intended') asked.set(record.id, textsIn(record.args));
    if (record.type === 'action_finished' && isFinding(record)) {
      const own = record.touches === 'network' ? (asked.get(record.id) ?? []) : [];
      found.push(without(own, String(record.result)));
      // That it is there, and was read, is a finding; what was searched for is none.
      if (record.does === 'reads_files' && record.target) found.push(record.target);
    }
    if (record.type === 'check_ran' && !record.scratch) found.push(String(record.text));
    if (record.type === 'message_added' && record.cause === 'survey')
      surveys.push(String(record.text ?? ''));
  });
  return { found, surveys };
}

/** A refusal and a failed look name what was asked for; a command's own words count, however it ends. */
const isFinding = ({ does, touches, status }: RecordOf<'action_finished'>): boolean =>
  does === 'runs_commands'
    ? status !== 'denied' && status !== 'blocked'
    : (touches === 'reads' || touches === 'network') && status === 'ok';

/** What a server sends back as it came says nothing of itself. */
const without = (own: readonly string[], text: string): string =>
  own.reduce((rest, word) => rest.replaceAll(word, ' '), text);

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
