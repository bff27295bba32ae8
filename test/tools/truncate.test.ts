import { expect, it } from 'vitest';
import { truncateMiddle } from '../../src/tools/truncate.ts';
import { fc } from '../support/dice.ts';

it('leaves short text alone', () => {
  expect(truncateMiddle('abc', 3)).toBe('abc');
});

it('never grows beyond its limit, keeps both ends and splits no character', () => {
  const text = fc.array(fc.constantFrom('a', '\n', '😀', 'word '), {
    minLength: 100,
    maxLength: 900,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 90, max: 400 }), (parts, limit) => {
      const whole = parts.join('');
      const cut = truncateMiddle(whole, limit);
      expect(cut.length).toBeLessThanOrEqual(Math.max(limit, 0));
      expect(cut).not.toMatch(/\p{Surrogate}/u);
      if (cut === whole) return;
      const [, head = '', left = '', tail = ''] =
        /^(.*)\n\[\.\.\. (\d+) characters \(\d+ lines\) left out \.\.\.\]\n(.*)$/s.exec(cut) ?? [];
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      expect(head.length + Number(left) + tail.length).toBe(whole.length);
    }),
  );
});
