import { describe, expect, it } from 'vitest';
import {
  blockReason,
  EMPTY_LOOP_WINDOW,
  normaliseResult,
  observe,
} from '../../src/context-manager/loop-detector.ts';
import type { LoopEntry, LoopWindow } from '../../src/schema/state-parts/run-facts.ts';
import { dice, fc } from '../support/dice.ts';

const ran = (signature: string, result = 'same', given: Partial<LoopEntry> = {}): LoopEntry => ({
  signature,
  tool: 'tool',
  target: signature,
  args: `{"of":"${signature}"}`,
  result,
  reached: null,
  fileTool: false,
  ...given,
});
const PLACE = { at: 0, round: 1 };
const see = (window: LoopWindow, entry: LoopEntry): LoopWindow => observe(window, entry, PLACE);

/** Leads to a state that was never there, unless it is told to which. */
let contents = 0;
function edited(signature = 'edit', content?: string): LoopEntry {
  contents += 1;
  const reached = { 'a.py': content ?? `content ${contents}` };
  return ran(signature, 'Edited', { reached, fileTool: true });
}
const wrote = (content: string): LoopEntry => edited(`write ${content}`, content);
const read = (signature: string, result = 'same') => ran(signature, result, { fileTool: true });

const windowAfter = (entries: readonly LoopEntry[], start: LoopWindow = EMPTY_LOOP_WINDOW) =>
  entries.reduce(see, start);

/** The signatures that were closed at any time, as an engine that asks before each call sees it. */
function everBlocked(entries: readonly LoopEntry[]): readonly string[] {
  const blocked = new Set<string>();
  entries.reduce((window, entry) => {
    const next = see(window, entry);
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

describe('The loop guard blocks contents that come back', () => {
  it('two of them that take turns, at the fifth action', () => {
    const turns = times(4, (n) => wrote(n % 2 ? 'B' : 'A'));
    expect(blockReason(windowAfter(turns.slice(0, 3)), 'write A')).toBeNull();
    const window = windowAfter(turns);
    expect(blockReason(window, 'write A')).toMatch(/took turns/);
    expect(blockReason(window, 'write B')).toMatch(/took turns/);
  });

  it('two of them with the same failing run after each, at the seventh action', () => {
    const turns = times(3, (n) => [wrote(n % 2 ? 'B' : 'A'), ran('test')]).flat();
    expect(blockReason(windowAfter(turns), 'test')).toMatch(/3 times with the same result/);
    expect(blockReason(windowAfter(turns.slice(0, 5)), 'test')).toBeNull();
  });

  it('two of them with a look and a failing run each, within the second turn', () => {
    const cycle = times(2, (n) => [read('a.py', `${n}`), wrote(`${n}`), ran('test')]).flat();
    expect(everBlocked([...cycle, ...cycle.slice(0, 3)])).toEqual(['test']);
  });

  it('a state that a command brings back', () => {
    const made = (state: string) => ran(`make ${state}`, 'ok', { reached: { '': state } });
    const turns = times(6, (n) => made(n % 2 ? 'B' : 'A'));
    expect(everBlocked(turns)).toEqual(['make A', 'make B']);
  });

  it('only where the whole workspace came back: files in new company are progress', () => {
    const write = (path: string, content: string) =>
      ran(`write ${path} ${content}`, 'Wrote', { reached: { [path]: content }, fileTool: true });
    const grid = ['1', '2', '3'].flatMap((b) => [
      write('b.py', b),
      ...['1', '2'].flatMap((a) => [write('a.py', a), ran('test')]),
    ]);
    expect(everBlocked(grid)).toEqual([]);
  });
});

describe('The loop guard does not block', () => {
  it('ten honest repairs: ten contents, each with the same failing test', () => {
    const repairs = times(10, (n) => [read('a.py'), wrote(`try ${n}`), ran('test')]).flat();
    expect(everBlocked(repairs)).toEqual([]);
  });

  it('a return to what was there that is followed by something new', () => {
    const work = [wrote('A'), ran('test'), wrote('B'), ran('test'), wrote('A'), wrote('C')];
    expect(everBlocked([...work, ran('test'), wrote('D'), ran('test')])).toEqual([]);
  });

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
    expect(
      everBlocked(times(50, (n) => ran(`mv${n}`, 'ok', { reached: { '': `state ${n}` } }))),
    ).toEqual([]);
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
    expect(blockReason(see(blocked, edited()), 'a')).toBeNull();
    expect(blockReason(windowAfter([edited(), ran('a'), ran('a')], blocked), 'a')).toBeNull();
  });

  it('stays when the workspace goes back to what it was', () => {
    const blocked = windowAfter([wrote('A'), wrote('B'), ...times(3, () => ran('a'))]);
    expect(blockReason(see(blocked, wrote('A')), 'a')).not.toBeNull();
    expect(blockReason(see(blocked, wrote('C')), 'a')).toBeNull();
  });

  it('says why and what was tried', () => {
    const window = windowAfter([read('look'), ...times(3, () => ran('a'))]);
    expect(blockReason(window, 'a')).toBe(
      'This call was made 3 times with the same result, and no file got a new content in ' +
        'between. It will not be run again until a file has a content that it did not have ' +
        'before: change one, or do something else. Tried: tool a (3x); tool look (1x).',
    );
  });

  it('is named with its call, its rule, its time and its round, also when it is lifted', () => {
    const block = { tool: 'tool', target: 'a', args: '{"of":"a"}', rule: 'repeated', ...PLACE };
    const window = windowAfter(times(3, () => ran('a')));
    expect(window).toMatchObject({ blocked: { a: block }, lifted: [] });
    expect(see(window, edited())).toMatchObject({ blocked: {}, lifted: [block] });
    expect(Object.values(windowAfter(times(4, (n) => ran('ab'[n % 2] ?? ''))).blocked)).toEqual([
      expect.objectContaining({ target: 'a', rule: 'alternating' }),
      expect.objectContaining({ target: 'b', rule: 'alternating' }),
    ]);
    const spam = windowAfter(times(6, (n) => ran('date', `${n}`)));
    expect(spam.blocked).toMatchObject({ date: { rule: 'spam' } });
  });

  it('is no word of the language by accident', () => {
    expect(blockReason(EMPTY_LOOP_WINDOW, 'constructor')).toBeNull();
    expect(blockReason(windowAfter(times(3, () => ran('__proto__'))), 'constructor')).toBeNull();
  });
});

/** With each workspace written out. */
function endsInProgress(all: readonly NonNullable<LoopEntry['reached']>[]): boolean {
  const files = new Map<string, string>();
  const seen = new Set<string>();
  let isNew = false;
  for (const reached of all) {
    if (Object.hasOwn(reached, '')) files.clear();
    for (const [path, hash] of Object.entries(reached)) files.set(path, hash ?? '');
    const state = JSON.stringify([...files].sort());
    isNew = !seen.has(state);
    seen.add(state);
  }
  return isNew;
}

describe('For every sequence of actions', () => {
  const entry = fc.record({
    signature: fc.constantFrom('a', 'b', 'c', 'd'),
    result: fc.constantFrom('x', 'y'),
    content: fc.constantFrom(null, '1', '2', '3', '4'),
    fileTool: fc.boolean(),
  });
  const entries = fc
    .array(entry, { maxLength: 60 })
    .map((all) =>
      all.map(({ signature, result, content, fileTool }) =>
        ran(signature, result, { reached: content === null ? null : { f: content }, fileTool }),
      ),
    );

  it('a window that went through JSON behaves as the one that did not', () => {
    fc.assert(
      fc.property(entries, entries, (before, later) => {
        const stored: LoopWindow = JSON.parse(JSON.stringify(windowAfter(before)));
        expect(windowAfter(later, stored)).toEqual(windowAfter(later, windowAfter(before)));
      }),
    );
  });

  it('blocks are lifted by a workspace that was never so, whichever files made it so', () => {
    const reached = fc.dictionary(fc.constantFrom('f', 'g', ''), fc.constantFrom(null, '1', '2'), {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(fc.array(reached, { minLength: 1, maxLength: 10 }), (all) => {
        const window = windowAfter(all.slice(0, -1).map((one) => ran('a', 'x', { reached: one })));
        const block = { tool: 'tool', target: '', args: '', rule: 'repeated', ...PLACE } as const;
        const last = ran('b', 'x', { reached: all.at(-1) ?? null });
        const after = see({ ...window, blocked: { blocked: block } }, last);
        expect(!Object.hasOwn(after.blocked, 'blocked')).toBe(endsInProgress(all));
      }),
      { numRuns: dice(60, 500) },
    );
  });

  it('the window stays bounded', () => {
    const many = fc.array(fc.tuple(fc.string(), fc.boolean()), { maxLength: 200 });
    fc.assert(
      fc.property(many, (all) => {
        const actions = all.flatMap(([name, isNew]) => [
          ...times(3, () => ran(name)),
          ...(isNew ? [edited()] : []),
        ]);
        const window = windowAfter(actions);
        expect(window.entries.length).toBeLessThanOrEqual(10);
        expect(Object.keys(window.blocked).length).toBeLessThanOrEqual(32);
        expect(window.lifted.length).toBeLessThanOrEqual(32);
      }),
    );
  });

  it('actions that each leave a file as it never was block nothing', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const busy = all.map((one, n) => ({ ...one, reached: { f: `${n}` }, fileTool: true }));
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
