import { describe, expect, it } from 'vitest';
import { CONVERSATION_FORMAT, parseRecord } from '../../src/context-manager/run-format.ts';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import { upgradedChatLine, upgradedRunLine } from '../../src/schema/upgrade.ts';

const note = { seq: 7, ts: 5, type: 'note', kind: 'x', data: {} };

describe('a line without a format', () => {
  it('of a run is of format 1 where it has no durable mark, else of format 2 and read as it is', () => {
    const settings = {
      seq: 7,
      ts: 5,
      type: 'settings_changed',
      mode: 'json',
      isModeFree: true,
      tools: [],
    };
    expect(upgradedRunLine(settings)).toMatchObject({ ok: true, value: { driver: 'guided' } });
    const marked = { ...settings, durable: 6 };
    expect(upgradedRunLine(marked)).toEqual({ ok: true, value: marked });
  });

  it('of a conversation is never taken for a line of format 1 of a run', () => {
    expect(upgradedChatLine(note)).toEqual({ ok: true, value: note });
  });

  it('of a message that was answered says that it was replied to', () => {
    const ended = { seq: 7, ts: 5, type: 'message_ended', ending: 'answered', detail: '' };
    expect(CONVERSATION_FORMAT.parse(ended)).toEqual({
      kind: 'record',
      record: { ...ended, ending: 'replied' },
    });
  });
});

describe.each([
  ['run', parseRecord],
  ['conversation', CONVERSATION_FORMAT.parse],
] as const)('a line of a %s', (_kind, parse) => {
  it('of this format is read as it is', () => {
    expect(parse({ ...note, durable: 6, format: FORMAT_VERSION })).toMatchObject({
      kind: 'record',
    });
  });

  it('of a later format is the work of another version, and its seq alone proves nothing', () => {
    expect(parse({ ...note, durable: 6, format: FORMAT_VERSION + 1 })).toEqual({
      kind: 'unknown',
      why: expect.stringContaining(`format ${FORMAT_VERSION + 1}`),
    });
  });
});
