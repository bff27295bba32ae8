/** Data that a seed makes: rows of goods, lines of a log, hours of people. Pure. */
import type { Files } from './generator.ts';
import { code } from './programs-made.ts';
import type { Random } from './random.ts';
import { GOODS, PEOPLE, PLACES, SERVICES } from './words.ts';

export interface Row {
  readonly name: string;
  readonly group: string;
  readonly count: number;
  readonly price: number;
}

/** Names differ; the groups are a few places, each of them met. */
export function rowsOf(random: Random, length: number, groups = 3): Row[] {
  const places = random.sample(PLACES, groups);
  return random.sample(GOODS, length).map((name, at) => ({
    name,
    group: places[at % groups] ?? '',
    count: random.int(2, 60),
    price: random.int(4, 90),
  }));
}

export const csvOf = (rows: readonly Row[], heads: readonly string[]): string =>
  code([
    heads.join(','),
    ...rows.map(({ name, group, count, price }) => [name, group, count, price].join(',')),
  ]);

export const LEVELS = ['INFO', 'WARN', 'ERROR'] as const;
export interface LogLine {
  readonly time: string;
  readonly level: (typeof LEVELS)[number];
  readonly service: string;
  readonly text: string;
}

const EVENTS = [
  'error rate is low again',
  'started',
  'queue is full',
  'took longer than expected',
  'no warning for an hour',
  'lost its connection',
  'wrote a page',
  'gave up',
] as const;

export function logOf(random: Random, length: number): LogLine[] {
  const services = random.sample(SERVICES, 3);
  return Array.from({ length }, (_, at) => ({
    time: `${String(6 + Math.floor(at / 4)).padStart(2, '0')}:${random.int(10, 59)}`,
    level: LEVELS[at < 3 ? at : random.int(0, 2)] ?? 'INFO',
    service: random.pick(services),
    text: random.pick(EVENTS),
  }));
}

export const logText = (lines: readonly LogLine[]): string =>
  code(lines.map(({ time, level, service, text }) => `${time} ${level} ${service} ${text}`));

export interface Shift {
  readonly person: string;
  readonly day: string;
  readonly hours: number;
}

export function shiftsOf(random: Random, people: number): Shift[] {
  const names = random.sample(PEOPLE, people);
  return ['mon', 'tue', 'wed', 'thu'].flatMap((day, at) =>
    names
      .filter((_, index) => (at + index) % 3 !== 0)
      .map((person) => ({ person, day, hours: random.int(2, 17) / 2 })),
  );
}

/** What belongs to the same key, added up; in the order of first sight. */
export function sums<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  amountOf: (item: T) => number,
): [string, number][] {
  const totals = new Map<string, number>();
  for (const item of items) {
    totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0) + amountOf(item));
  }
  return [...totals];
}

export const total = (numbers: readonly number[]): number =>
  numbers.reduce((one, other) => one + other, 0);

export const oneFile = (path: string, text: string): Files => ({ [path]: text });
