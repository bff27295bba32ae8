import { describe, expect, it } from 'vitest';
import { reduce } from '../../../../src/context-manager/fold/fold.ts';
import type { JournalRecord } from '../../../../src/schema/records.ts';
import type { RunState } from '../../../../src/schema/state.ts';
import { isInView } from '../../../../src/steps/shown.ts';
import { bareState, file } from '../../../support/run-state.ts';

const folded = (state: RunState, record: JournalRecord): RunState =>
  reduce(state, { ...record, seq: state.seq + 1, ts: 0, offset: 900 });

const question: JournalRecord = {
  type: 'message_added',
  role: 'user',
  text: 'a.py is now: ...',
  cause: 'content_question',
  shows: [{ path: 'a.py', hash: 'now' }],
};
const asked = folded(bareState('guided'), question);
const seq = asked.seq;
const compaction = { type: 'compacted', fromSeq: seq, toSeq: seq, text: 'what was said' } as const;

describe('A file that a question shows', () => {
  it('is seen by it, and in view', () => {
    expect(asked.files['a.py']).toMatchObject({ hash: 'now', baseline: 'now', written: false });
    expect(isInView(asked, 'a.py')).toBe(true);
  });

  it('stays what the run wrote, and what is known of it', () => {
    const known = file({ hash: 'now', baseline: null, defines: ['f()'] });
    const state = folded(bareState('guided', { files: { 'a.py': known } }), question);
    expect(state.files['a.py']).toEqual(known);
  });

  it('stays its own while it has the content that the run gave it', () => {
    const own = (hash: string) =>
      folded(
        bareState('guided', { files: { 'a.py': { ...file({ hash }), isOwn: true } } }),
        question,
      ).files['a.py']?.isOwn;
    expect([own('now'), own('before')]).toEqual([true, undefined]);
  });

  it.each<[string, JournalRecord]>([
    ['is compacted away', compaction],
    ['is cut', { ...compaction, text: '', cut: [{ seq, text: 'a.py is ...' }] }],
    ['is rewound', { type: 'rewound', fromSeq: seq, why: 'no' }],
    ['is left for a conversation beside it', { type: 'branched', at: 'open', why: 'repair' }],
  ])('is not in view any more when the question %s', (_, record) => {
    expect(isInView(folded(asked, record), 'a.py')).toBe(false);
  });

  it('is in view again when the conversation beside is over', () => {
    const beside = folded(asked, { type: 'branched', at: 'open', why: 'repair' });
    expect(isInView(folded(beside, { type: 'branched', at: 'close', why: 'ok' }), 'a.py')).toBe(
      true,
    );
  });
});
