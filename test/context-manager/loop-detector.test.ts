import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockReason,
  EMPTY_LOOP_WINDOW,
  normaliseResult,
  observe,
} from '../../src/context-manager/loop-detector.ts';
import type { LoopEntry, LoopWindow } from '../../src/schema/run-facts.ts';

const ran = (signature: string, result = 'same', given: Partial<LoopEntry> = {}): LoopEntry => ({
  signature,
  result,
  changed: false,
  fileTool: false,
  ...given,
});
const edited = (signature = 'edit'): LoopEntry =>
  ran(signature, 'Edited', { changed: true, fileTool: true });
const read = (signature: string, result = 'same') => ran(signature, result, { fileTool: true });

const windowAfter = (entries: readonly LoopEntry[], start: LoopWindow = EMPTY_LOOP_WINDOW) =>
  entries.reduce(observe, start);

/** The signatures that were closed at any time, as an engine that asks before each call sees it. */
function everBlocked(entries: readonly LoopEntry[]): readonly string[] {
  const blocked = new Set<string>();
  entries.reduce((window, entry) => {
    const next = observe(window, entry);
    for (const { signature } of entries) if (blockReason(next, signature)) blocked.add(signature);
    return next;
  }, EMPTY_LOOP_WINDOW);
  return [...blocked];
}
const times = <Type>(count: number, make: (n: number) => Type): Type[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('The loop guard blocks', () => {
  it('the same call three times with the same result and no change', () => {
    expect(blockReason(windowAfter(times(2, () => ran('a'))), 'a')).toBeNull();
    expect(blockReason(windowAfter(times(3, () => ran('a'))), 'a')).toMatch(
      /3 times with the same result/,
    );
  });

  it('the same call three times with others in between', () => {
    const window = windowAfter([ran('a'), ran('b'), ran('a'), ran('c'), ran('a')]);
    expect(blockReason(window, 'a')).not.toBeNull();
    expect(blockReason(window, 'b')).toBeNull();
  });

  it('a look at a file that shows the same three times', () => {
    expect(blockReason(windowAfter(times(3, () => read('a'))), 'a')).not.toBeNull();
  });

  it('two calls that take turns, both of them, by the third cycle at the latest', () => {
    expect(blockReason(windowAfter([ran('a'), ran('b'), ran('a')]), 'a')).toBeNull();
    const window = windowAfter([ran('a'), ran('b'), ran('a'), ran('b')]);
    expect(blockReason(window, 'a')).toMatch(/took turns/);
    expect(blockReason(window, 'b')).toMatch(/took turns/);
  });

  it('an edit that changes nothing, taking turns with its test', () => {
    const idle = ran('edit', 'Edited', { fileTool: true });
    expect(everBlocked([idle, ran('test'), idle, ran('test')])).toEqual(['edit', 'test']);
  });

  it('date spam, whatever it prints', () => {
    expect(blockReason(windowAfter(times(5, (n) => ran('date', `${n}`))), 'date')).toBeNull();
    expect(blockReason(windowAfter(times(6, (n) => ran('date', `${n}`))), 'date')).toMatch(
      /6 times/,
    );
  });

  it('six equal calls with other commands in between, as no file was looked at', () => {
    const pairs = times(5, (n) => [ran('date', `${n}`), ran(`other${n}`)]).flat();
    expect(blockReason(windowAfter(pairs), 'date')).toBeNull();
    expect(everBlocked(times(6, (n) => ran('date', `${n}`)))).toEqual(['date']);
  });
});

describe('The loop guard does not block', () => {
  it('ten rounds of an edit and the same test with the same output', () => {
    expect(everBlocked(times(10, (n) => [edited(`edit${n % 2}`), ran('test')]).flat())).toEqual([]);
  });

  it('fifty looks at a file that keeps changing, by what they show', () => {
    expect(everBlocked(times(50, (n) => read('log', `line ${n}`)))).toEqual([]);
  });

  it('fifty polls with changing output and a file read now and then', () => {
    const polls = times(50, (n) => [ran('poll', `${n}`), ...(n % 4 === 3 ? [read(`f${n}`)] : [])]);
    expect(everBlocked(polls.flat())).toEqual([]);
  });

  it('fifty different files read, or moved one by one', () => {
    expect(everBlocked(times(50, (n) => read(`f${n}`)))).toEqual([]);
    expect(everBlocked(times(50, (n) => ran(`mv${n}`, 'ok', { changed: true })))).toEqual([]);
  });

  it('two calls that take turns with a change in between', () => {
    expect(everBlocked([ran('a'), edited(), ran('a'), edited(), ran('a')])).toEqual([]);
  });
});

describe('A block', () => {
  it('lifts when the workspace changes, and stays through everything else', () => {
    const blocked = windowAfter(times(3, () => ran('a')));
    expect(
      blockReason(
        windowAfter(
          times(12, (n) => read(`f${n}`)),
          blocked,
        ),
        'a',
      ),
    ).not.toBeNull();
    expect(blockReason(observe(blocked, edited()), 'a')).toBeNull();
    expect(blockReason(windowAfter([edited(), ran('a'), ran('a')], blocked), 'a')).toBeNull();
  });

  it('is no word of the language by accident', () => {
    expect(blockReason(EMPTY_LOOP_WINDOW, 'constructor')).toBeNull();
    expect(blockReason(windowAfter(times(3, () => ran('__proto__'))), 'constructor')).toBeNull();
  });
});

describe('For every sequence of actions', () => {
  const entry = fc.record({
    signature: fc.constantFrom('a', 'b', 'c', 'd'),
    result: fc.constantFrom('x', 'y'),
    changed: fc.boolean(),
    fileTool: fc.boolean(),
  });
  const entries = fc.array(entry, { maxLength: 60 });

  it('a window that went through JSON behaves as the one that did not', () => {
    fc.assert(
      fc.property(entries, entries, (before, later) => {
        const stored: LoopWindow = JSON.parse(JSON.stringify(windowAfter(before)));
        expect(windowAfter(later, stored)).toEqual(windowAfter(later, windowAfter(before)));
      }),
    );
  });

  it('the window stays bounded', () => {
    const many = fc.array(fc.record({ ...entryShape, signature: fc.string() }), { maxLength: 200 });
    fc.assert(
      fc.property(many, (all) => {
        const window = windowAfter(all.flatMap((one) => [one, one, one]));
        expect(window.entries.length).toBeLessThanOrEqual(10);
        expect(Object.keys(window.blocked).length).toBeLessThanOrEqual(32);
      }),
    );
  });

  it('actions that each change files with a file tool never block anything', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const busy = all.map((one) => ({ ...one, changed: true, fileTool: true }));
        expect(windowAfter(busy).blocked).toEqual({});
      }),
    );
  });

  it('a call repeated without end is blocked after six at the latest', () => {
    fc.assert(
      fc.property(
        entries,
        fc.array(fc.string(), { minLength: 6, maxLength: 6 }),
        (all, results) => {
          const spam = results.map((result) => ran('spam', result));
          expect(blockReason(windowAfter(spam, windowAfter(all)), 'spam')).not.toBeNull();
        },
      ),
    );
  });
});

const entryShape = {
  result: fc.constantFrom('x', 'y'),
  changed: fc.constant(false),
  fileTool: fc.constant(false),
};

describe('A normalised result', () => {
  const same: readonly (readonly [string, string, string])[] = [
    ['durations', '2 passed in 0.01s', '2 passed in 13.4s'],
    ['times of day', 'Sun Nov 22 01:06:13 UTC 2026', 'Mon Dec 1 23:59:00 UTC 2027'],
    ['timestamps', 'at 2026-11-22T01:06:13.123Z done', 'at 2025-01-02T03:04:05Z done'],
    ['paths', 'in /tmp/a1b/x.py line', 'in /home/u/y.py line'],
    ['windows paths', 'in C:\\Users\\a\\x.py line', 'in D:\\work\\y.py line'],
    ['hex', '<object at 0x7f3a2b>', '<object at 0x10ff>'],
    ['hashes', 'commit 3f2a9bc1d', 'commit 99ab01cdef12'],
    ['white space', 'a\r\n b', 'a b'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ];
  for (const [name, one, other] of same)
    it(`is the same without regard to ${name}`, () => {
      expect(normaliseResult(one)).toBe(normaliseResult(other));
    });

  it('keeps what a person would call another result', () => {
    expect(normaliseResult('1 failed')).not.toBe(normaliseResult('1 passed'));
    expect(normaliseResult('KeyError: a')).not.toBe(normaliseResult('KeyError: b'));
    expect(normaliseResult('defaced')).toBe('defaced');
  });

  it('is its own normal form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = normaliseResult(text);
        expect(normaliseResult(once)).toBe(once);
      }),
    );
  });
});
