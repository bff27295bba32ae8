import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { reduce } from '../../../src/context-manager/fold/fold.ts';
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../../src/context-manager/run-format.ts';
import { DriverName } from '../../../src/schema/driver.ts';
import type { Located, RecordOf } from '../../../src/schema/records.ts';
import type { RunState } from '../../../src/schema/state.ts';

type Outcome = Located<RecordOf<'action_finished'>>;

const JOURNALS = [
  ...readdirSync('test/fixtures', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test/fixtures', name))
    .filter((path) => path.endsWith('history.jsonl')),
  '.agent_context.example/history.jsonl',
];

/** Each state of a journal behind the one before it, and the record between them. */
function* statesOf(
  path: string,
): Generator<readonly [before: RunState, after: RunState, record: Located]> {
  const isConversation = dirname(dirname(path)).endsWith('sessions');
  const { parse } = isConversation ? CONVERSATION_FORMAT : RUN_FORMAT;
  let state: RunState | null = null;
  let offset = 0;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const parsed = parse(JSON.parse(line));
    if (parsed.kind !== 'record') continue;
    const record = { ...parsed.record, offset };
    const next: RunState = reduce(state, record);
    if (state !== null) yield [state, next, record];
    state = next;
    offset += Buffer.byteLength(line) + 1;
  }
}

const same = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** The fields of the state that each driver writes, in all journals that were ever kept. */
function writersOf(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const [before, after] of JOURNALS.flatMap((path) => [...statesOf(path)])) {
    const driver = after.settings?.driver ?? 'none';
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof RunState>;
    for (const field of fields) {
      if (same(before[field], after[field])) continue;
      writers.set(field, (writers.get(field) ?? new Set()).add(driver));
    }
  }
  return writers;
}

const WRITERS = writersOf();

/** What an action of a driver that ended otherwise than in its journal would have changed. */
function changedBy(
  driver: DriverName,
  isIt: (record: Outcome) => boolean,
  happens: (before: RunState, record: Outcome) => RunState,
): readonly string[] {
  for (const path of JOURNALS)
    for (const [before, , record] of statesOf(path)) {
      if (before.settings?.driver !== driver || record.type !== 'action_finished') continue;
      if (!isIt(record)) continue;
      const after: RunState = happens(before, record);
      const fields = Object.keys(after) as (keyof RunState)[];
      return fields.filter((field) => !same(before[field], after[field]));
    }
  throw new Error(`no such action of ${driver}`);
}

const fails = (before: RunState, record: Outcome): RunState =>
  reduce(before, { ...record, status: 'error' });

const claimsFailure = (before: RunState, record: Outcome): RunState =>
  reduce(before, { ...record, claim: { success: false, reason: 'It cannot be done.' } });

test('what only a conversation writes stands in its part of the state, and it writes nothing of a goal', () => {
  const writers = [...WRITERS].map(([field, by]) => [field, [...by].sort().join(' ')] as const);
  const by = (drivers: string): string[] =>
    writers.flatMap(([field, who]) => (who === drivers ? [field] : [])).sort();
  // The runs among them asked nobody for anything.
  expect(by('chat')).toEqual(['chat', 'permissions']);
  expect(by('chat free guided')).toEqual(
    [
      ...['conversation', 'counters', 'files', 'intents', 'kept', 'lastAt', 'lastTurn', 'loop'],
      ...['pending', 'seq', 'settings', 'settingsOffset', 'usage', 'workedMs'],
    ].sort(),
  );
  // Fields of a goal, which no conversation has.
  expect(by('free guided')).toEqual(
    [
      ...['active', 'answer', 'changedAt', 'commands', 'ended', 'mainConversation', 'paused'],
      ...['phase', 'plan', 'proof', 'replan', 'round', 'undo', 'verdict'],
    ].sort(),
  );
});

test('what only one driver of a goal writes stands in its part of the state', () => {
  const one = [...WRITERS].filter(([, by]) => by.size === 1 && !by.has('chat'));
  const fields = one.map(([field]) => field).sort();
  // Three more that only one of them happened to write in these journals: a lease belongs to no driver, and
  // below both write the others.
  expect(fields).toEqual(['failureSaid', 'free', 'guided', 'lease', 'recentErrors']);
  for (const driver of DriverName.options) {
    expect(changedBy(driver, () => true, fails)).toContain('recentErrors');
    const ends = (record: Outcome): boolean => record.does === 'ends_subtasks';
    expect(changedBy(driver, ends, claimsFailure)).toContain('failureSaid');
  }
});
