import type { MakeSample } from './function.ts';

const feeFor: MakeSample = (random) => {
  const limit = random.int(3, 12);
  const [low, high] = [random.int(4, 9), random.int(11, 30)];
  return {
    words: [random.pick(['fee', 'postage', 'toll']), 'for'],
    parameters: ['weight', 'pieces'],
    does: `returns ${low} for every piece when the weight is at most ${limit}, and ${high} for every piece when it is more`,
    body: {
      python: [`if weight <= ${limit}:`, `    return ${low} * pieces`, `return ${high} * pieces`],
      javascript: [`if (weight <= ${limit}) return ${low} * pieces;`, `return ${high} * pieces;`],
    },
    bug: { python: ['<=', '<'], javascript: ['<=', '<'] },
    cases: [
      [[limit, 2], low * 2],
      [[limit + 1, 2], high * 2],
      [[limit, 5], low * 5],
      [[1, 3], low * 3],
      [[limit * 2, 1], high],
    ],
  };
};

const initials: MakeSample = (random) => {
  const sign = random.pick(['.', '', '-']);
  return {
    words: ['initials'],
    parameters: ['name'],
    does: `returns the first letters of all words of a name as capitals, joined with ${sign === '' ? 'nothing' : `"${sign}"`}`,
    body: {
      python: [`return "${sign}".join(word[0].upper() for word in name.split())`],
      javascript: [
        `return name.split(/\\s+/).map((word) => word[0].toUpperCase()).join("${sign}");`,
      ],
    },
    bug: { python: ['.upper()', ''], javascript: ['.toUpperCase()', ''] },
    cases: [
      [['mara van dyk'], ['M', 'V', 'D'].join(sign)],
      [['Otto Lind'], ['O', 'L'].join(sign)],
      [['lena Marie holm'], ['L', 'M', 'H'].join(sign)],
      [['X'], 'X'],
    ],
  };
};

const countOver: MakeSample = (random) => {
  const limit = random.int(5, 50);
  return {
    words: ['count', random.pick(['over', 'above'])],
    parameters: ['numbers', 'limit'],
    does: 'returns how many of the numbers are larger than the limit (equal does not count)',
    body: {
      python: ['return len([number for number in numbers if number > limit])'],
      javascript: ['return numbers.filter((number) => number > limit).length;'],
    },
    bug: { python: ['> limit', '>= limit'], javascript: ['> limit', '>= limit'] },
    cases: [
      [[[limit, limit + 1, limit - 1], limit], 1],
      [[[limit + 5, limit + 9], limit], 2],
      [[[limit, limit], limit], 0],
      [[[], limit], 0],
    ],
  };
};

const clock: MakeSample = (random) => {
  const minutes = random.int(2, 40);
  const sign = random.pick([':', 'm', "'"]);
  return {
    words: [random.pick(['clock', 'duration', 'stopwatch'])],
    parameters: ['seconds'],
    does: `turns seconds into minutes and seconds: the minutes, then ${sign}, then the seconds with two digits`,
    body: {
      python: [`return f"{seconds // 60}${sign}{seconds % 60:02d}"`],
      javascript: [
        `return Math.floor(seconds / 60) + "${sign}" + String(seconds % 60).padStart(2, "0");`,
      ],
    },
    bug: { python: [':02d', ''], javascript: ['.padStart(2, "0")', ''] },
    cases: [
      [[minutes * 60 + 7], `${minutes}${sign}07`],
      [[59], `0${sign}59`],
      [[minutes * 60], `${minutes}${sign}00`],
      [[minutes * 60 + 30], `${minutes}${sign}30`],
    ],
  };
};

const average: MakeSample = (random) => {
  const nothing = random.pick([0, -1]);
  const [a, b] = [random.int(2, 30), random.int(31, 60)];
  return {
    words: [random.pick(['average', 'mean']), 'of'],
    parameters: ['numbers'],
    does: `returns the mean of a list of numbers, and ${nothing} for an empty list`,
    body: {
      python: ['if not numbers:', `    return ${nothing}`, 'return sum(numbers) / len(numbers)'],
      javascript: [
        `if (numbers.length === 0) return ${nothing};`,
        'return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;',
      ],
    },
    bug: {
      python: ['sum(numbers) /', 'sum(numbers[1:]) /'],
      javascript: ['+ number, 0', '+ number, 1'],
    },
    cases: [
      [[[a, a + 2, a + 4]], a + 2],
      [[[]], nothing],
      [[[a, a + 4]], a + 2],
      [[[b]], b],
    ],
  };
};

const longest: MakeSample = (random) => {
  const [one, two] = random.pick([
    ['plum', 'pear'],
    ['river', 'stone'],
    ['cedar', 'maple'],
  ] as const);
  return {
    words: ['longest', 'word'],
    parameters: ['text'],
    does: 'returns the longest word of a text; of several equally long ones the first',
    body: {
      python: [
        'best = ""',
        'for word in text.split():',
        '    if len(word) > len(best):',
        '        best = word',
        'return best',
      ],
      javascript: [
        'let best = "";',
        'for (const word of text.split(" ")) {',
        '  if (word.length > best.length) best = word;',
        '}',
        'return best;',
      ],
    },
    bug: { python: ['> len', '>= len'], javascript: ['> best', '>= best'] },
    cases: [
      [[`a ${one} ${two}`], one],
      [[`in ${one}`], one],
      [[`${two} of ${one}`], two],
      [[`${one} ${two} mountain`], 'mountain'],
    ],
  };
};

/** For generators whose goals may be tried while the engine is worked on. */
export const OPEN_FUNCTIONS: readonly MakeSample[] = [
  feeFor,
  initials,
  countOver,
  clock,
  average,
  longest,
];
