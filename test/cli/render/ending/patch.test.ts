import { expect, test } from 'vitest';
import { formatPatchLine } from '../../../../src/cli/render/ending/patch.ts';

test('a line of a diff shows what it hides or reorders, so that two different lines look different', () => {
  expect(formatPatchLine('+a\u202eb\u200b')).toBe('+a\\u{202e}b\\u{200b}');
  expect(formatPatchLine('+\u001b[2Kgone')).toBe('+\\u{1b}[2Kgone');
  expect(formatPatchLine('+\tnaïve 名前\r')).toBe('+  naïve 名前');
});
