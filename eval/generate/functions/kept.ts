import type { MakeSample } from './function.ts';

const pairOf: MakeSample = (random) => {
  const sign = random.pick(['=', ':']);
  const [key, value] = random.pick([
    ['colour', 'red'],
    ['host', 'north'],
    ['mode', 'slow'],
  ] as const);
  return {
    words: [random.pick(['split', 'parse']), 'pair'],
    parameters: ['line'],
    does: `splits a line at its first "${sign}" and returns the part before and the part behind as a list of two, without spaces around them`,
    body: {
      python: [`at = line.index("${sign}")`, `return [line[:at].strip(), line[at + 1:].strip()]`],
      javascript: [
        `const at = line.indexOf("${sign}");`,
        'return [line.slice(0, at).trim(), line.slice(at + 1).trim()];',
      ],
    },
    bug: { python: ['line.index', 'line.rindex'], javascript: ['indexOf', 'lastIndexOf'] },
    cases: [
      [[`${key} ${sign} a${sign}b`], [key, `a${sign}b`]],
      [[`${key}${sign}${value}`], [key, value]],
      [[` ${value}${sign}${sign}1`], [value, `${sign}1`]],
      [[`${value} ${sign} ${key} `], [value, key]],
    ],
  };
};

const discounted: MakeSample = (random) => {
  const from = random.int(3, 12);
  const percent = random.pick([10, 20, 25, 50]);
  const price = random.int(2, 9) * 20;
  const less = (count: number): number => (price * count * (100 - percent)) / 100;
  return {
    words: [random.pick(['amount', 'cost', 'sum']), 'due'],
    parameters: ['price', 'count'],
    does: `returns price times count, with ${percent} percent off from ${from} pieces on`,
    body: {
      python: [
        `if count >= ${from}:`,
        `    return price * count * ${100 - percent} / 100`,
        'return price * count',
      ],
      javascript: [
        `if (count >= ${from}) return (price * count * ${100 - percent}) / 100;`,
        'return price * count;',
      ],
    },
    bug: { python: ['>=', '>'], javascript: ['>=', '>'] },
    cases: [
      [[price, from], less(from)],
      [[price, from - 1], price * (from - 1)],
      [[price * 2, from], 2 * less(from)],
      [[price, from + 5], less(from + 5)],
    ],
  };
};

const secondLargest: MakeSample = (random) => {
  const [a, b, c] = [random.int(1, 9), random.int(10, 19), random.int(20, 40)];
  return {
    words: ['second', random.pick(['largest', 'highest'])],
    parameters: ['numbers'],
    does: 'returns the second largest of the different numbers of a list (a number that is there twice counts once)',
    body: {
      python: ['ordered = sorted(set(numbers))', 'return ordered[-2]'],
      javascript: [
        'const ordered = [...new Set(numbers)].sort((one, other) => other - one);',
        'return ordered[1];',
      ],
    },
    bug: { python: ['set(numbers)', 'numbers'], javascript: ['new Set(numbers)', 'numbers'] },
    cases: [
      [[[a, c, b, c]], b],
      [[[b, a]], a],
      [[[c, c, c, a]], a],
      [[[c, a, b]], b],
    ],
  };
};

const merged: MakeSample = (random) => {
  const [x, y, z] = random.sample(['oak', 'elm', 'fir', 'ash', 'yew'], 3) as [
    string,
    string,
    string,
  ];
  const [a, b] = [random.int(2, 9), random.int(2, 9)];
  return {
    words: [random.pick(['merge', 'add', 'join']), 'counts'],
    parameters: ['one', 'other'],
    does: 'takes two maps from names to counts and returns one in which the counts of equal names are added; the given ones stay as they are',
    body: {
      python: [
        'result = dict(one)',
        'for name, count in other.items():',
        '    result[name] = result.get(name, 0) + count',
        'return result',
      ],
      javascript: [
        'const result = { ...one };',
        'for (const [name, count] of Object.entries(other)) {',
        '  result[name] = (result[name] ?? 0) + count;',
        '}',
        'return result;',
      ],
    },
    bug: {
      python: ['result.get(name, 0) + count', 'count'],
      javascript: ['(result[name] ?? 0) + count', 'count'],
    },
    cases: [
      [[{ [x]: a, [y]: 1 }, { [x]: b }], { [x]: a + b, [y]: 1 }],
      [[{}, { [z]: b }], { [z]: b }],
      [[{ [z]: b }, { [z]: 1, [y]: a }], { [z]: b + 1, [y]: a }],
      [[{ [x]: a }, {}], { [x]: a }],
    ],
  };
};

const rotated: MakeSample = (random) => {
  const list = random.sample(['k', 'l', 'm', 'n', 'p', 'q'], 5);
  const by = (count: number): string[] => [...list.slice(count), ...list.slice(0, count)];
  return {
    words: [random.pick(['rotate', 'shift', 'turn']), 'left'],
    parameters: ['items', 'count'],
    does: 'returns a list in which the first count items stand at the end, in the same order',
    body: {
      python: ['return items[count:] + items[:count]'],
      javascript: ['return [...items.slice(count), ...items.slice(0, count)];'],
    },
    bug: {
      python: ['items[count:] + items[:count]', 'items[-count:] + items[:-count]'],
      javascript: [
        '...items.slice(count), ...items.slice(0, count)',
        '...items.slice(-count), ...items.slice(0, -count)',
      ],
    },
    cases: [
      [[list, 1], by(1)],
      [[list, 5], list],
      [[list, 2], by(2)],
      [[list, 0], list],
    ],
  };
};

const shortened: MakeSample = (random) => {
  const mark = random.pick(['~', '..', '+']);
  const width = random.int(5, 8);
  const text = 'lighthouse keeper';
  return {
    words: [random.pick(['shorten', 'clip', 'fit'])],
    parameters: ['text', 'width'],
    does: `returns a text as it is when it has at most width characters; a longer one is cut so that with "${mark}" at its end it has exactly width characters`,
    body: {
      python: [
        'if len(text) <= width:',
        '    return text',
        `return text[:width - ${mark.length}] + "${mark}"`,
      ],
      javascript: [
        'if (text.length <= width) return text;',
        `return text.slice(0, width - ${mark.length}) + "${mark}";`,
      ],
    },
    bug: { python: [` - ${mark.length}`, ''], javascript: [` - ${mark.length}`, ''] },
    cases: [
      [[text, width], text.slice(0, width - mark.length) + mark],
      [['abc', width], 'abc'],
      [['watermill', width], 'watermill'.slice(0, width - mark.length) + mark],
      [['w'.repeat(width), width], 'w'.repeat(width)],
    ],
  };
};

/** For kept generators alone. */
export const KEPT_FUNCTIONS: readonly MakeSample[] = [
  pairOf,
  discounted,
  secondLargest,
  merged,
  rotated,
  shortened,
];
