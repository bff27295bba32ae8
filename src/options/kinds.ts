/**
 * Kinds of option values: each knows how a value is typed, printed, checked, and written in a settings file. No kind
 * loads zod: the code that makes a schema passes it in.
 */
import type * as zod from 'zod';
import { misuse } from '../lib/errors.ts';
import { durationOf, durationWord } from '../lib/text/duration.ts';
import { count } from '../lib/text/figures.ts';

/** The part of zod that a form uses: passing all of it would bundle all of it. */
export type Zod = Pick<
  typeof zod,
  'array' | 'boolean' | 'enum' | 'int' | 'number' | 'string' | 'union'
>;

/** What a shell can complete: one of these words, the name of a file or of a folder; no words: nothing. */
export type CompletedBy = readonly string[] | 'files' | 'folders';

export interface Kind<Value> {
  /** The placeholder for people. */
  readonly takes: string;
  /** What follows the flag: a value, one value each time the flag is repeated, or nothing. */
  readonly typed: 'value' | 'values' | 'nothing';
  /**
   * Reads the words after the flag, or a variable. Throws E_USAGE.
   * @param label the name of the option there
   */
  read(words: readonly string[], label: string): Value;
  /** Possible values, if known beforehand. */
  readonly offers?: CompletedBy;
  /** The words to type after the flag for a value. */
  words(value: Value): readonly string[];
  /** What a program must pass, if it passed something else; '' if the value is valid. */
  fault(value: unknown): string;
  /** The schema in a settings file. Left out: the option has no setting. */
  form?(z: Zod, about: string): zod.ZodType;
  /** Converts from and to the form in a settings file; left out: they are the same. */
  fromFile?(value: unknown): Value;
  toFile?(value: Value): unknown;
  /** Whether one value is stricter than another; left out: values cannot be compared. */
  isStricter?(one: Value, other: Value): boolean;
}

const IN_RANGE = 'Give one in that range, or leave it out for the default.';

/** False for an infinite number, which no journal can keep: an option without a limit is left out. */
const isAmount = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0;

/** Of two amounts the lower one is stricter. */
const number = {
  typed: 'value',
  words: (value: number) => [String(value)],
  isStricter: (one: number, other: number) => one < other,
} as const;

/** The flag alone sets the value. @param sets the value that it sets */
export const flag = (sets = true): Kind<boolean> => ({
  takes: 'true or false',
  typed: 'nothing',
  read: () => sets,
  words: () => [],
  fault: (value) => (typeof value === 'boolean' ? '' : 'true or false'),
});

const LONGEST = 10_000;

export const freeText: Kind<string> = {
  takes: 'a text',
  typed: 'value',
  read: ([word = '']) => word,
  words: (value) => [value],
  fault: (value) => (typeof value === 'string' ? '' : 'a text'),
  form: (z, about) => z.string().min(1).max(LONGEST).describe(about),
};

export const file: Kind<string> = { ...freeText, offers: 'files' };

/**
 * Refuses an empty name, which would mean the current folder: a shell makes it of a variable that is not set.
 */
function foldersIn(words: readonly string[], label: string): readonly string[] {
  if (!words.includes('')) return words;
  throw misuse(`${label} names no folder.`, 'Give one, or leave it out for the current one.');
}

export const folder: Kind<string> = {
  ...freeText,
  offers: 'folders',
  read: (words, label) => foldersIn(words, label)[0] ?? '',
};

/** The error does not repeat an address: it may contain a password. */
const addressWith = (protocols: RegExp, takes: string, hint: string): Kind<string> => ({
  ...freeText,
  takes,
  read: ([word = ''], label) => {
    if (protocols.test(URL.canParse(word) ? new URL(word).protocol : '')) return word;
    throw misuse(`The value of ${label} is not ${takes}.`, hint);
  },
});

export const address = addressWith(
  /^https?:$/,
  'an http address',
  'Give it like https://api.openai.com/v1 or http://127.0.0.1:1234/v1.',
);

export const fleetAddress = addressWith(
  /^(?:https?|temporal):$/,
  'an http or temporal address',
  'Give it like http://127.0.0.1:8080 or temporal://127.0.0.1:7233.',
);

/** @param each what one entry is, in a settings file */
export const texts = (each: string, most: number): Kind<readonly string[]> => ({
  takes: 'a list of texts',
  typed: 'values',
  read: (words) => [...words],
  words: (values) => values,
  fault: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? '' : 'a list of texts',
  form: (z, about) =>
    z.array(z.string().min(1).max(LONGEST).describe(each)).max(most).describe(about),
});

export const folders = (most: number): Kind<readonly string[]> => ({
  ...texts('A folder.', most),
  offers: 'folders',
  read: (words, label) => [...foldersIn(words, label)],
});

/**
 * A whole number. A program may exceed `most`, which only catches typing errors.
 * @param leastGiven the least value from a program: pausing at once is valid there
 */
export const whole = (least: number, most: number, leastGiven = least): Kind<number> => ({
  ...number,
  takes: `${count(least)} to ${count(most)}`,
  read: ([word = ''], label) => {
    const value = /^\d+$/.test(word.trim()) ? Number(word) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw misuse(
      `${label} must be a whole number from ${count(least)} to ${count(most)}, not "${word}".`,
      IN_RANGE,
    );
  },
  fault: (value) =>
    Number.isSafeInteger(value) && Number(value) >= leastGiven
      ? ''
      : `a whole number of at least ${count(leastGiven)}`,
  form: (z, about) => z.int().min(least).max(most).describe(about),
});

export const decimal = (least: number, most: number): Kind<number> => ({
  ...number,
  takes: `${least} to ${most}`,
  read: ([word = ''], label) => {
    const value = /^\d*\.?\d+$/.test(word.trim()) ? Number(word) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw misuse(`${label} must be ${least} to ${most}, not "${word}".`, IN_RANGE);
  },
  fault: (value) =>
    typeof value === 'number' && value >= least && value <= most ? '' : `${least} to ${most}`,
  form: (z, about) => z.number().min(least).max(most).describe(about),
});

/** Powers of ten. */
const UNITS: { readonly [suffix: string]: number } = { k: 3, m: 6 };
const MAX_TOKENS = 1e12;

/** `200000`, `200k`, `2m`. */
export const tokenCount: Kind<number> = {
  ...whole(1, MAX_TOKENS, 0),
  takes: '200000, 200k or 2m',
  read: ([word = ''], label) => {
    const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(word.trim()) ?? [];
    // Read as decimal digits: 4.1 times a million is no whole number in binary.
    const value =
      digits === '' ? Number.NaN : Number(`${digits}e${UNITS[unit.toLowerCase()] ?? 0}`);
    if (Number.isInteger(value) && value >= 1 && value <= MAX_TOKENS) return value;
    throw misuse(
      `${label} must be a number of tokens, not "${word}".`,
      'Give for example 200000, 200k or 2m.',
    );
  },
};

const MAX_DOLLARS = 1e6;

export const usDollars: Kind<number> = {
  ...number,
  takes: 'US dollars, such as 0.50',
  read: ([word = ''], label) => {
    const value = /^\d*\.?\d+$/.test(word.trim()) ? Number(word) : Number.NaN;
    if (value > 0 && value <= MAX_DOLLARS) return value;
    throw misuse(
      `${label} must be an amount in US dollars, not "${word}".`,
      'Give for example 0.50 or 5.',
    );
  },
  fault: (value) => (isAmount(value) ? '' : 'an amount of at least 0'),
  form: (z, about) => z.number().positive().max(MAX_DOLLARS).describe(about),
};

/** `90s`, `10m`, `1h30m`; milliseconds for a program. */
export const timeSpan: Kind<number> = {
  ...number,
  takes: '90s, 10m, 2h or 1h30m; milliseconds in the library',
  read: ([word = ''], label) => {
    const ms = durationOf(word);
    if (ms !== null) return ms;
    throw misuse(
      `${label} must be a duration, not "${word}".`,
      'Give for example 90s, 10m, 2h or 1h30m.',
    );
  },
  words: (ms) => [durationWord(ms)],
  fault: (value) => (isAmount(value) ? '' : 'a number of milliseconds of at least 0'),
  form: (z, about) =>
    z
      .string()
      .refine((time) => durationOf(time) !== null, 'Not a duration: 90s, 10m, 2h or 1h30m')
      .describe(about),
  fromFile: (value) => durationOf(String(value)) ?? 0,
  toFile: durationWord,
};

const MB = 1024 * 1024;

/** Whole MB in a settings file, bytes for a program. */
export const megabytes = (most: number): Kind<number> => ({
  ...whole(1, most),
  takes: `1 to ${count(most)} MB; bytes in the library`,
  words: (bytes) => [String(bytes / MB)],
  fromFile: (value) => Number(value) * MB,
  toFile: (bytes) => bytes / MB,
});

/**
 * One of a few words, the least strict first.
 * @param noun what the words are
 * @param hint how to choose one
 */
export const choice = <const Word extends string>(
  all: readonly Word[],
  noun: string,
  hint = `Give one of: ${all.join(', ')}.`,
): Kind<Word> => ({
  takes: all.join(', '),
  typed: 'value',
  offers: all,
  read: ([word = '']) => {
    const wanted = all.find((one) => one === word);
    if (wanted !== undefined) return wanted;
    throw misuse(`There is no ${noun} "${word}".`, hint);
  },
  words: (value) => [value],
  fault: (value) => (all.some((one) => one === value) ? '' : `one of: ${all.join(', ')}`),
  form: (z, about) => z.enum(all).describe(about),
  isStricter: (one, other) => all.indexOf(one) > all.indexOf(other),
});

/** `null` stands for the default. */
export const orDefault = <Value>(kind: Kind<Value>): Kind<Value | null> => ({
  ...kind,
  words: (value) => (value === null ? [] : kind.words(value)),
  fault: (value) => (value === null ? '' : kind.fault(value)),
  isStricter: () => false,
});

const DOCUMENT = /^(?!\.)[\w.-]{1,100}\.md$/i;

/** Whether instruction files are sent, or their names. On the command line they can only be switched off. */
export const documents: Kind<boolean | readonly string[]> = {
  takes: 'true, false, or a list of names',
  typed: 'nothing',
  read: () => false,
  words: () => [],
  fault: (value) =>
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      ? ''
      : 'true, false, or a list of names',
  // Only instruction files: their content is read into every prompt.
  form: (z, about) =>
    z
      .union(
        [
          z.boolean(),
          z
            .array(z.string().regex(DOCUMENT, 'Not the name of a document such as AGENTS.md'))
            .min(1)
            .max(20),
        ],
        { error: 'true, false, or a list of names such as "AGENTS.md"' },
      )
      .describe(about),
};
