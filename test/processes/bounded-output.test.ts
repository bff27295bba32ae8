import { expect, it } from 'vitest';
import { boundedOutput } from '../../src/processes/bounded-output.ts';

const MB = 1024 * 1024;

it('of half a gigabyte a bounded part is kept in bounded memory, and the rest is counted', () => {
  const chunk = `${'x'.repeat(1023)}\n`.repeat(1024);
  const output = boundedOutput(16 * MB);
  output.add('the beginning\n');
  const before = process.memoryUsage();
  let most = 0;
  for (let n = 0; n < 512; n += 1) {
    output.add(chunk);
    if (n % 32 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  output.add('the end\n');
  const { text, leftOutBytes } = output.finish();
  // What is not collected yet is above what is held.
  expect(most - before.arrayBuffers).toBeLessThan(300 * MB);
  expect(text.startsWith('the beginning\n')).toBe(true);
  expect(text.endsWith('the end\n')).toBe(true);
  expect(leftOutBytes).toBe(512 * MB + 22 - 16 * MB);
  expect(text.length).toBeLessThan(16 * MB + 100);
});

it('a flood of tiny pieces is the same text, whatever the bound', () => {
  const pieces = Array.from({ length: 15_000 }, (_, n) => `${n} ü\n`);
  const all = pieces.join('');
  const bytes = Buffer.byteLength(all);
  for (const bound of [10, 1000, 70_000, bytes - 1, bytes, bytes * 2]) {
    const output = boundedOutput(bound);
    const heard = pieces.map((piece) => output.add(piece)).join('');
    const { text, leftOutBytes } = output.finish();
    expect(all.startsWith(heard)).toBe(true);
    if (bytes <= bound) expect([text, leftOutBytes]).toEqual([all, 0]);
    else {
      const [, head = '', count, tail = ''] =
        /^([\s\S]*?)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n([\s\S]*)$/.exec(text) ?? [];
      expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
      expect(Number(count)).toBe(leftOutBytes);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + leftOutBytes).toBe(bytes);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(bound);
    }
  }
});
