import { describe, expect, it } from 'vitest';
import { passageOf } from '../../../src/drivers/guided/passage.ts';
import { fc } from '../../support/dice.ts';

const block = (name: string, lines = 3): string =>
  [`def ${name}(x):`, ...Array.from({ length: lines }, (_, n) => `    ${name}_${n} = ${n}`)].join(
    '\n',
  );
const NAMES = [...'abcdefghijklmnopqrst'].map((letter) => `part_${letter}`);
const FILE = `${NAMES.map((name) => block(name)).join('\n\n')}\n`;
const about = (words: string, ...lines: readonly number[]) => ({ words, lines });

describe('The part of a long file that matters', () => {
  it('is the block that shares words with what is wanted, with its neighbours', () => {
    const { text, from, to, of } = passageOf(FILE, 200, about('change part_k, please'));
    expect(text).toContain('def part_k(x):');
    expect(text.startsWith('def ')).toBe(true);
    expect(
      FILE.split('\n')
        .slice(from - 1, to)
        .join('\n'),
    ).toBe(text);
    expect(of).toBe(FILE.trimEnd().split('\n').length);
  });

  it('is the block with the line that a failure names, whatever the words are', () => {
    const line = FILE.split('\n').indexOf('    part_c_1 = 1') + 1;
    expect(passageOf(FILE, 100, about('part_k', line)).text).toContain('part_c_1');
  });

  it('is the end of the file where nothing is shared: what is new goes there', () => {
    expect(passageOf(FILE, 100, about('zzzz')).text).toContain('def part_t(x):');
  });

  it('is cut around the named line where its block alone is too long', () => {
    const long = block('huge', 500);
    const { text } = passageOf(long, 400, about('', 300));
    expect(text.length).toBeLessThanOrEqual(400);
    expect(text).toContain('huge_298 = 298');
  });

  it('is found in a large file of data without joining its lines again and again', () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => `${n},some,data,of,a,row`);
    expect(passageOf(rows.join('\n'), 1000, about('')).text.length).toBeLessThanOrEqual(1000);
    const alike = 'x\n'.repeat(40_000);
    expect(passageOf(alike, 1000, about('')).to).toBe(40_000);
  });

  it('stands only once in the file, and is there line by line', () => {
    const line = fc.constantFrom('', 'a', '    b', 'def c():', '    return 1');
    const lines = fc.array(line, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 80 }), (some, room) => {
        const whole = some.join('\n');
        const { text, from, to } = passageOf(whole, room, about('return'));
        const flat = whole.replace(/\n$/, '');
        expect(
          flat
            .split('\n')
            .slice(from - 1, to)
            .join('\n'),
        ).toBe(text);
        if (text !== flat) expect(flat.indexOf(text)).toBe(flat.lastIndexOf(text));
      }),
    );
  });
});
