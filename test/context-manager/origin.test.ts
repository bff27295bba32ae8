/** What is believed of a journal is what this user's key has signed, of this run and as it stands. */
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/context-manager/fold/fold.ts';
import { openingOf } from '../../src/context-manager/open-or-create.ts';
import { type Origin, originOf } from '../../src/context-manager/origin.ts';
import type { JournalRecord, Located } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { SETTINGS } from '../support/forged-state.ts';

const mine = originOf(new Uint8Array(32).fill(1));
const theirs = originOf(new Uint8Array(32).fill(2));
const nobody = originOf(null);
const unchecked = originOf(undefined);

const opening = (goal = 'Say hello', startedAt = 1) => openingOf(goal, startedAt);
const settings = (baseUrl = 'http://one/v1', model = 'm'): JournalRecord => ({
  type: 'settings_changed',
  ...{ ...SETTINGS, baseUrl, model },
});

/** Every record signed by one user, in a journal that begins with `first`. */
function signedBy(origin: Origin, ...records: readonly JournalRecord[]): JournalRecord[] {
  const [first] = records;
  const run = first?.type === 'run_opened' ? first.run : '';
  return records.map((record) => origin.sign(record, run));
}

function stateOf(records: readonly JournalRecord[]): RunState {
  const located = records.map(
    (record, index) => ({ ...record, seq: index + 1, ts: 0, offset: index * 100 }) as Located,
  );
  const state = fold(located);
  if (state === null) throw new Error('no record');
  return state;
}

const hashOf = (bytes: number): string => `hash of ${bytes}`;

describe('a run', () => {
  const own = signedBy(mine, opening(), settings());

  it('is its user’s where that user’s key signed its first record, and nobody else’s', () => {
    expect(mine.isOwn(stateOf(own), hashOf)).toBe(true);
    for (const other of [theirs, nobody]) expect(other.isOwn(stateOf(own), hashOf)).toBe(false);
    expect(mine.isOwn(stateOf([opening()]), hashOf)).toBe(false);
  });

  it('is nobody’s with another goal, name, time or version behind the same signature', () => {
    const [first] = own;
    for (const change of [{ goal: 'x' }, { run: 'x' }, { startedAt: 2 }, { version: 'x' }])
      expect(mine.isOwn({ ...stateOf([first!]), ...change }, hashOf)).toBe(false);
  });

  it('is believed whoever wrote it where the caller answers for the folder', () => {
    expect(unchecked.isOwn(stateOf([opening()]), hashOf)).toBe(true);
    expect(unchecked.sign(opening(), 'r')).toEqual(opening());
  });
});

describe('the address of a run', () => {
  it('counts where the same key signed it in the same run', () => {
    const state = stateOf(signedBy(mine, opening(), settings()));
    expect([mine.hasOwnAddress(state), theirs.hasOwnAddress(state)]).toEqual([true, false]);
    expect(mine.hasOwnAddress(stateOf([opening(), settings()]))).toBe(false);
  });

  it('of another run of the same user counts nothing, however well it was signed there', () => {
    const [, elsewhere] = signedBy(mine, opening('Another goal'), settings('http://two/v1'));
    const pasted = [...signedBy(mine, opening()), elsewhere!];
    expect(mine.isOwn(stateOf(pasted), hashOf)).toBe(true);
    expect(mine.hasOwnAddress(stateOf(pasted))).toBe(false);
  });

  it('counts with the model, the provider and the key it was signed with, and no other', () => {
    const state = stateOf(signedBy(mine, opening(), settings()));
    const changes = [
      { model: 'x' },
      { provider: 'x' },
      { profile: 'X_2' },
      { baseUrl: 'http://x' },
    ];
    for (const change of changes) {
      const altered = { ...state, settings: { ...state.settings!, ...change } };
      expect(mine.hasOwnAddress(altered)).toBe(false);
    }
  });

  it('that is gone leaves no signature behind for the settings that follow', () => {
    const before = stateOf(signedBy(mine, opening(), settings())).settings!;
    const { baseUrl: _gone, ...rest } = before;
    const record: JournalRecord = { type: 'settings_changed', ...rest };
    expect(mine.sign(record, opening().run)).not.toHaveProperty('mac');
  });
});

describe('a permission', () => {
  it('is signed with its rule, its scope and the run it was given in', () => {
    const given = (rule: string): JournalRecord => ({
      ...{ type: 'approval_given', id: 'a', allowed: true, why: '', rule, scope: 'here' },
    });
    const macs = [
      mine.sign(given('make'), 'one'),
      mine.sign(given('make'), 'two'),
      mine.sign(given('rm'), 'one'),
      mine.sign({ ...given('make'), allowed: false } as JournalRecord, 'one'),
    ].map((record) => ('mac' in record ? record.mac : undefined));
    expect(new Set(macs).size).toBe(4);
    expect(macs).not.toContain(undefined);
  });

  it('says who gave it and by which door under the same MAC, and one that does not say it counts still', () => {
    const about = { id: 'a', allowed: true, why: '', scope: 'call' } as const;
    const said = { type: 'approval_given', ...about, by: 'Ada', door: 'server' } as const;
    const signed = mine.sign(said, 'one') as typeof said & { readonly mac: string };
    const isOwn = (change: object): boolean => mine.isOwnGrant('one', { ...signed, ...change });
    expect(isOwn({})).toBe(true);
    for (const change of [{ by: 'Bob' }, { door: 'terminal' }, { by: undefined }])
      expect(isOwn(change)).toBe(false);
    const [state] = [stateOf([...signedBy(mine, opening()), signed])];
    expect(state.permissions?.answers).toMatchObject([{ by: 'Ada', door: 'server' }]);
    const silent = mine.sign({ type: 'approval_given', ...about }, 'one');
    expect(mine.isOwnGrant('one', silent)).toBe(true);
  });
});

describe('an adoption', () => {
  const dropped = { addresses: [], grants: [] };
  const adopted = (base: string): JournalRecord => ({
    type: 'adopted',
    version: '1',
    base,
    dropped,
  });
  const foreign = [opening(), settings('http://evil/v1')];
  const [, , mark] = signedBy(mine, opening(), settings(), adopted(hashOf(200)));

  it('makes a run its user’s, drops the address and the tools, and keeps the rest', () => {
    const state = stateOf([...foreign, mark!]);
    expect(mine.isOwn(state, hashOf)).toBe(true);
    expect(state.settings).toMatchObject({
      model: 'm',
      systemPrompt: 'You are helpful.',
      tools: null,
    });
    expect(state.settings).not.toHaveProperty('baseUrl');
    expect(state.settings).not.toHaveProperty('mac');
  });

  it('is none by another key, at another place, or for another run', () => {
    expect(theirs.isOwn(stateOf([...foreign, mark!]), hashOf)).toBe(false);
    expect(mine.isOwn(stateOf([...foreign, settings(), mark!]), hashOf)).toBe(false);
    expect(mine.isOwn(stateOf([opening('Another goal'), settings(), mark!]), hashOf)).toBe(false);
  });

  it('by somebody else ends what its first user believed of the run', () => {
    const [opened, given] = signedBy(mine, opening(), settings());
    const last = theirs.sign(adopted(hashOf(200)), opening().run);
    expect(mine.isOwn(stateOf([opened!, given!]), hashOf)).toBe(true);
    expect(mine.isOwn(stateOf([opened!, given!, last]), hashOf)).toBe(false);
  });
});
