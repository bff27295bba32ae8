import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../../src/context-manager/run-format.ts';
import { readPage } from '../../../src/journal/read-journal.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { upgradedChatLine, upgradedRunLine } from '../../../src/schema/journal/upgrade.ts';
import { FORMAT_VERSION } from '../../../src/schema/records.ts';

const FIXTURES = 'test/fixtures';
/** Of runs and conversations as earlier builds left them. */
const JOURNALS = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('history.jsonl'))
  .map((name) => join(FIXTURES, name));

const isOfConversation = (path: string): boolean => dirname(dirname(path)).endsWith('sessions');

/** What stands in the lines of a journal, with the byte at which each begins. */
function linesOf(path: string) {
  let offset = 0;
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const at = offset;
      offset += Buffer.byteLength(line) + 1;
      return { offset: at, value: JSON.parse(line) as { readonly seq: number } };
    });
}

describe('the journals that earlier builds left', () => {
  it('are of both kinds, and some lines of both have a durable mark and no format', () => {
    for (const isTalk of [false, true]) {
      const lines = JOURNALS.filter((path) => isOfConversation(path) === isTalk).flatMap(linesOf);
      const alike = lines.filter(({ value }) => 'durable' in value && !('format' in value));
      expect(alike.length).toBeGreaterThan(100);
    }
  });

  it('are read one line as one record, at its place and with its seq and its MAC', () => {
    for (const path of JOURNALS) {
      const format = isOfConversation(path) ? CONVERSATION_FORMAT : RUN_FORMAT;
      const { records } = readPage({ fs: nodeFileSystem, format }, path, undefined, 100_000);
      const fromRecords = records.map(({ seq, offset, ...rest }) => [
        ...[seq, offset],
        'mac' in rest ? rest.mac : undefined,
      ]);
      const fromLines = linesOf(path).map(({ offset, value }) => [
        ...[value.seq, offset],
        'mac' in value ? value.mac : undefined,
      ]);
      expect(fromRecords, path).toEqual(fromLines);
    }
  });

  it('say in the words of today what builds of every format called otherwise', () => {
    const verdict = { seq: 9, ts: 1, format: 3, words: 'it passed', named: [] };
    const sandbox = {
      seq: 2,
      ts: 1,
      format: 3,
      type: 'sandbox_looked',
      holds: true,
      what: 'bwrap',
    };
    for (const upgraded of [upgradedRunLine, upgradedChatLine]) {
      expect(upgraded({ ...verdict, type: 'weighed', isKnown: true })).toEqual({
        ...{ ok: true, value: { ...verdict, type: 'verdict_given', isProved: true } },
      });
      for (const said of [{ wish: 'auto' }, { mode: 'auto' }])
        expect(upgraded({ ...sandbox, ...said })).toEqual({
          ...{ ok: true, value: { ...sandbox, mode: 'auto' } },
        });
    }
  });

  it('are told apart by their kind: none begins where it is read as one of the other', () => {
    for (const path of JOURNALS) {
      const [first] = linesOf(path);
      const headers = [RUN_FORMAT, CONVERSATION_FORMAT].map((format) => {
        const parsed = format.parse(first?.value ?? {});
        return parsed.kind === 'record' && format.header(parsed.record) !== null;
      });
      expect(headers, path).toEqual(isOfConversation(path) ? [false, true] : [true, false]);
    }
  });
});

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
  ['run', RUN_FORMAT.parse],
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
