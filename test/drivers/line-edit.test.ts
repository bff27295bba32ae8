import { describe, expect, it } from 'vitest';
import { asLine } from '../../src/drivers/line-edit.ts';

const world = (text: string, isHeld: boolean) => ({
  world: { readText: () => text } as never,
  policy: { mayShow: () => !isHeld } as never,
});

const edit = (text: string, old_text: string, new_text: string, isHeld = false) =>
  asLine(
    { id: 'c', name: 'edit_file', args: { path: 'a.py', old_text, new_text } },
    world(text, isHeld),
  ).args;

const CODE = 'def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n';

describe('a line that a model names', () => {
  it('is found without its indentation, and what is written gets it', () => {
    const args = edit('def add(a, b):\n    return a - b\n', 'return a - b', 'return a + b');
    expect(args).toMatchObject({ old_text: '    return a - b', new_text: '    return a + b' });
  });

  it('takes lines before it along where it stands twice', () => {
    expect(edit(CODE, '    return a - b', '    return a + b')).toMatchObject({
      old_text: 'def add(a, b):\n    return a - b',
      new_text: 'def add(a, b):\n    return a + b',
    });
  });

  it('is found in a large file of lines that are alike without trying each line before it', () => {
    const whole = `${'xx\n'.repeat(40_000)}x`;
    expect(edit(whole, 'x', 'z')).toMatchObject({ old_text: whole });
  });

  it('may be several lines, and become several', () => {
    expect(edit('if x:\n  a()\n  b()\nc()\n', 'a()\nb()', 'for y in x:\n  a(y)')).toMatchObject({
      old_text: '  a()\n  b()',
      new_text: '  for y in x:\n    a(y)',
    });
  });

  it('is found in a file with Windows line ends', () => {
    expect(edit('x = 1\r\ny = 2\r\n', 'y = 2', 'y = 3')).toMatchObject({
      old_text: 'y = 2',
      new_text: 'y = 3',
    });
  });

  it.each([
    ['is not in the file', 'return a * b', 'return a + b'],
    ['stays the same', 'return a - b', '  return a - b'],
    ['is empty', '', 'return a + b'],
  ])('and that %s is left to the tool to refuse', (_, old_text, new_text) => {
    expect(edit(CODE, old_text, new_text)).toEqual({ path: 'a.py', old_text, new_text });
  });

  it('of a file that nobody has allowed to show brings no other line into the call', () => {
    const args = edit(CODE, 'return a - b', 'return a + b', true);
    expect(args).toMatchObject({ old_text: 'return a - b', new_text: 'return a + b' });
  });
});
