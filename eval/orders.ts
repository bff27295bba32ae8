/** Which goals are run with which seeds. Pure. */
import { fullName, type Generator, goalOf } from './generate/generator.ts';
import type { Goal } from './goal.ts';
import { type EvalOptions, type Part, UsageError } from './options.ts';

export interface Order {
  readonly goal: Goal;
  readonly run: number;
  readonly seed: number;
}

/** A run of a kept generator as it stands in the first line of a drawn table. */
export interface Drawn {
  readonly generator: string;
  readonly seed: number;
}

export interface Stock {
  readonly fixed: readonly Goal[];
  readonly generators: readonly Generator[];
}

const KNOWN = ['hello', 'rock-paper-scissors', 'mathx'];

export function developmentOrders(
  { goals, runs, seed }: Pick<EvalOptions, 'goals' | 'runs' | 'seed'>,
  stock: Stock,
): readonly Order[] {
  const names = goals.length > 0 ? goals : openGenerators(stock).map(fullName);
  const chosen = [...new Set(names.flatMap((name) => choose(name, stock)))];
  return chosen.flatMap((one) =>
    Array.from({ length: runs }, (_, at) => ({
      goal: 'make' in one ? goalOf(one, seed + at) : one,
      run: at + 1,
      seed: seed + at,
    })),
  );
}

const openGenerators = ({ generators }: Stock) => generators.filter(({ kept }) => !kept);

function choose(name: string, stock: Stock): readonly (Goal | Generator)[] {
  if (name === 'fixed') return stock.fixed;
  if (name === 'known') return stock.fixed.filter((goal) => KNOWN.includes(goal.name));
  const open = openGenerators(stock).filter((one) => isNamed(one, name));
  const fixed = stock.fixed.filter((goal) => goal.name === name);
  if (open.length + fixed.length > 0) return [...fixed, ...open];
  if (stock.generators.some((one) => isNamed(one, name))) {
    throw new UsageError(`${name} is kept: its seeds are drawn, with --draw N`);
  }
  throw new UsageError(`there is no goal "${name}"; there are: ${namesOf(stock).join(', ')}`);
}

const isNamed = (generator: Generator, name: string): boolean =>
  generator.kind === name || fullName(generator) === name;

const namesOf = ({ fixed, generators }: Stock): readonly string[] => [
  'known',
  'fixed',
  ...fixed.map(({ name }) => name),
  ...new Set(generators.map(({ kind }) => kind)),
  ...generators.map(fullName),
];

/** The kept generators in turn, as many as were asked for; `draw` gives a seed for each. */
export function drawOrders(
  count: number,
  goals: readonly string[],
  { generators }: Stock,
  draw: (generator: Generator) => number,
): readonly Drawn[] {
  const kept = generators.filter(
    (one) => one.kept && (goals.length === 0 || goals.some((name) => isNamed(one, name))),
  );
  if (kept.length === 0) throw new UsageError('no kept generator has one of these names');
  return Array.from({ length: count }, (_, at) => {
    const generator = kept[at % kept.length] as Generator;
    return { generator: fullName(generator), seed: draw(generator) };
  });
}

export function drawnOrders(drawn: readonly Drawn[], { generators }: Stock): readonly Order[] {
  return drawn.map(({ generator: name, seed }, at) => {
    const generator = generators.find((one) => fullName(one) === name);
    if (generator === undefined) throw new UsageError(`the table has an unknown goal "${name}"`);
    return { goal: goalOf(generator, seed), run: at + 1, seed };
  });
}

export const partOfOrders = (orders: readonly Order[], { n, of }: Part): readonly Order[] =>
  orders.filter((_, at) => at % of === n - 1);
