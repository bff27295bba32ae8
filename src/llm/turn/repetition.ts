// Notices when a model is stuck and writes the same thing again and again; pure except for its own memory.

/** More equal lines in a row than any useful answer has. */
const EQUAL_LINES = 30;
/** The longest block of lines that is looked for, and how often it must repeat to count. */
const LONGEST_BLOCK = 48;
const BLOCKS = 5;
/** The number of consecutive lines that differ only in figures, if that adds nothing new. */
const COUNTED_LINES = 16;
/** Within one line: this many characters that repeat with at most this period. */
const PERIODIC_CHARACTERS = 1200;
const LONGEST_PERIOD = 200;
/** How much is written between two checks inside a line. */
const LOOK_EVERY = 400;
const BLANK_CHARACTERS = 3000;

export interface RepetitionOptions {
  /**
   * Lines that only count up are a loop, too. A table may look like that, but a small model that was asked
   * for a few tests and writes such lines continues until its room is used up.
   */
  readonly counts?: boolean;
}

/**
 * Takes an answer piece by piece and says why it should be cut off, or `null`. Each character is checked a bounded
 * number of times. Blank lines do not count, so that they cannot hide a repeated block.
 */
export function repetitionWatch(options: RepetitionOptions = {}): (piece: string) => string | null {
  const blocks = blockWatch();
  const counting = options.counts === true ? countWatch() : () => null;
  const lines = (line: string): string | null => blocks(line) ?? counting(line);
  let line = '';
  /** The end of the line, so that the whole line need not be joined for each check. */
  let tail = '';
  let unseen = 0;
  let blank = 0;
  const extend = (more: string): void => {
    line += more;
    tail += more;
    if (tail.length > 4 * PERIODIC_CHARACTERS) tail = tail.slice(-PERIODIC_CHARACTERS);
    unseen += more.length;
  };
  return (piece) => {
    const [first = '', ...rest] = piece.split('\n');
    extend(first);
    let problem: string | null = null;
    for (const next of rest) {
      problem ??= lines(line.trim());
      line = '';
      tail = '';
      unseen = 0;
      extend(next);
    }
    if (unseen >= LOOK_EVERY) {
      unseen = 0;
      problem ??= periodProblem(tail.slice(-PERIODIC_CHARACTERS));
    }
    const space = piece.length - piece.trimEnd().length;
    blank = space === piece.length ? blank + space : space;
    if (problem === null && blank > BLANK_CHARACTERS)
      return 'The model writes nothing but white space.';
    return problem;
  };
}

/** A block of `period` lines repeats while each line equals the one `period` lines before it. */
function blockWatch(): (line: string) => string | null {
  const last: string[] = [];
  const equal = new Array<number>(LONGEST_BLOCK + 1).fill(0);
  return (line) => {
    if (line === '') return null;
    let problem: string | null = null;
    for (let period = 1; period <= LONGEST_BLOCK; period += 1) {
      const run = last.at(-period) === line ? (equal[period] ?? 0) + 1 : 0;
      equal[period] = run;
      if (problem === null && run >= Math.max(EQUAL_LINES, BLOCKS * period))
        problem = repeats(line, Math.floor(run / period) + 1);
    }
    last.push(line);
    if (last.length > LONGEST_BLOCK) last.shift();
    return problem;
  };
}

/** `f(1) == 2`, `f(1, 2) == 3`, `f(1, 2, 3) == 4`: a list of figures counts like any other. */
function countWatch(): (line: string) => string | null {
  let last = '';
  let run = 0;
  return (line) => {
    if (line === '') return null;
    const shape = line.replace(/\d[\d.]*(?:\s*,\s*\d[\d.]*)*/g, '0');
    run = shape === last ? run + 1 : 0;
    last = shape;
    const isCount = run >= COUNTED_LINES && shape !== line && /\p{L}/u.test(shape);
    return isCount ? repeats(line, run + 1) : null;
  };
}

/** @param tail the last characters of a line */
function periodProblem(tail: string): string | null {
  if (tail.length < PERIODIC_CHARACTERS) return null;
  if (tail.trim() === '') return null;
  for (let period = 1; period <= LONGEST_PERIOD; period += 1) {
    if (tail.startsWith(tail.slice(period)))
      return repeats(tail.slice(-period), Math.floor(tail.length / period));
  }
  return null;
}

const repeats = (text: string, times: number): string =>
  `The model repeats itself: "${text.trim().slice(0, 80)}" ${times} times.`;
