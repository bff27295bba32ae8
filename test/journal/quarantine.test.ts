import { expect, test } from 'vitest';
import { quarantineRange, wasCutBehind } from '../../src/journal/quarantine.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';

test('what was cut off a journal is known of by the place it began at', () => {
  const fs = createMemoryFileSystem({ platform: 'linux' });
  expect(wasCutBehind(fs, '/quarantine', 0), 'there is no such folder').toBe(false);
  fs.mkdir('/quarantine');
  const fd = fs.open('/history.jsonl', 'w+');
  fs.write(fd, Buffer.from('a good line\nhalf a li'), 0);
  expect(wasCutBehind(fs, '/quarantine', 0)).toBe(false);
  quarantineRange(fs, '/quarantine', fd, 12);
  expect(wasCutBehind(fs, '/quarantine', 0), 'the good line lost what came behind it').toBe(true);
  expect(wasCutBehind(fs, '/quarantine', 12), 'a line that was written since').toBe(false);
});
