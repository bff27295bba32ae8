/** What the last records of a journal say about how it ended. */
import { expect, it } from 'vitest';
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { readEnding } from '../../src/journal/lines/scan-back.ts';
import { replaceFile } from '../../src/lib/files/durable-files.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';

function endedBy(format: typeof RUN_FORMAT, ...records: readonly object[]): string | null {
  const fs = createMemoryFileSystem();
  const lines = records.map((record, at) => JSON.stringify({ seq: at + 1, ts: 1, ...record }));
  replaceFile(fs, '/journal', Buffer.from(`${lines.join('\n')}\n`));
  return readEnding(fs, fs.open('/journal', 'r'), format).ended;
}

const FINISHED = { type: 'run_finished', ending: 'achieved' };

it.each([
  ...['note', 'swap_started', 'file_swapped', 'swap_finished', 'format_raised', 'adopted'],
  ...['bytes_unreadable', 'bytes_set_aside', 'compaction_started', 'compacted'],
])('%s after the end reopens neither a run nor a conversation', (type) => {
  expect(endedBy(RUN_FORMAT, FINISHED, { type })).toBe('achieved');
  expect(endedBy(CONVERSATION_FORMAT, { type: 'session_cleared' }, { type })).toBe('cleared');
  expect(endedBy(RUN_FORMAT, FINISHED, { type: 'run_resumed' }, { type })).toBeNull();
});
