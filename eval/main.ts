/** `npm run eval`: real goals on a real model, judged by oracles that never trust the agent's word. */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { evaluate } from './evaluate.ts';
import { fullName, type Generator } from './generate/generator.ts';
import { GENERATORS } from './generate/generators.ts';
import type { Goal } from './goal.ts';
import { GOALS } from './goals.ts';
import { quotaOf, summariseKinds } from './kinds-report.ts';
import { type EvalOptions, HELP, parseOptions, UsageError } from './options.ts';
import {
  developmentOrders,
  drawnOrders,
  drawOrders,
  type Order,
  partOfOrders,
  type Stock,
} from './orders.ts';
import { findPython } from './programs.ts';
import { reportText, resultLine, summarise } from './report.ts';
import type { EvalResult } from './result.ts';
import { appendResult, drawnTable, readTable, resultOf } from './results-file.ts';
import { isSpent, look, readSpent } from './spent-seeds.ts';

const STOCK: Stock = { fixed: GOALS, generators: GENERATORS };
/** The model is sent the same seed; this is what all servers take. */
const LARGEST_SEED = 2 ** 31;

/** A wrong configuration, a server that does not answer, a disk that is full. */
const NOT_THE_MODEL = [2, 7, 8];

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A model file is named from here, but the agent works elsewhere. */
function fromHere(model: string | null): string | null {
  const file = /^(embedded|recorded):(.+)$/.exec(model ?? '');
  return file === null ? model : `${file[1]}:${resolve(file[2] ?? '')}`;
}

async function main(): Promise<number> {
  const parsed = parseOptions(process.argv.slice(2));
  if (parsed === null) {
    process.stdout.write(HELP);
    return 0;
  }
  const options: EvalOptions = {
    ...parsed,
    model: fromHere(parsed.model),
    agent: resolve(parsed.agent),
    keep: parsed.keep === null ? null : resolve(parsed.keep),
  };
  if (options.look !== null) {
    say(
      `its seed is spent, its files lie in ${look(options.look, options, `${options.out}.looked`)}`,
    );
    return 0;
  }
  if (options.report.length > 0) {
    print(
      options.report.flatMap((file) => readTable(file).results),
      options,
    );
    return 0;
  }
  print(await runAll(ordersOf(options), options), options);
  return 0;
}

function ordersOf(options: EvalOptions): readonly Order[] {
  const { draw } = options;
  if (draw === null) return developmentOrders(options, STOCK);
  const spent = readSpent(options.spent);
  const fresh = (generator: Generator): number => {
    const seed = randomInt(1, LARGEST_SEED);
    return isSpent({ generator: fullName(generator), seed }, spent) ? fresh(generator) : seed;
  };
  const drawn = drawnTable(options.out, () => drawOrders(draw, options.goals, STOCK, fresh));
  if (drawn.length !== draw) say(`${options.out} was drawn with ${drawn.length} runs`);
  return drawnOrders(drawn, STOCK);
}

async function runAll(
  orders: readonly Order[],
  options: EvalOptions,
): Promise<readonly EvalResult[]> {
  if (!existsSync(options.agent)) throw new UsageError('dist/bin.cjs is missing: npm run build');
  const python = await findPython();
  const program = 'program' in python ? python.program : 'python';
  const own = partOfOrders(orders, options.part);
  const done = own.filter((order) => standing(order, options) !== undefined);
  if (done.length > 0) say(`${done.length} of ${own.length} runs stand in ${options.out} already`);
  for (const order of own.filter((one) => !done.includes(one))) {
    const { goal, run, seed } = order;
    if (!canJudge(goal, python)) continue;
    if (
      options.draw !== null &&
      isSpent({ generator: goal.name, seed }, readSpent(options.spent))
    ) {
      say(`${goal.name} ${run}: not run, its seed is spent`);
      continue;
    }
    const result = await evaluate(order, options, program).catch((error: unknown) => {
      say(`${goal.name} ${run}: no result, ${String(error)}`);
      return null;
    });
    if (result === null) continue;
    if (NOT_THE_MODEL.includes(result.exitCode ?? 0)) {
      say(
        `${goal.name} ${run}: exit ${result.exitCode}, which says nothing of the model: stopped.`,
      );
      say('The same command goes on from here.');
      break;
    }
    appendResult(options.out, result);
    say(resultLine(result));
  }
  return own.map((order) => standing(order, options)).filter((result) => result !== undefined);
}

const standing = (order: Order, options: EvalOptions): EvalResult | undefined =>
  resultOf(order, options, readTable(options.out).results);

function print(results: readonly EvalResult[], { isJson }: EvalOptions): void {
  const plain = results.filter(({ runner }) => runner === 'plain');
  const agent = results.filter(({ runner }) => runner === 'agent');
  const report = {
    ...numbersOf(agent),
    ...(plain.length === 0 ? {} : { plain: numbersOf(plain) }),
    results,
  };
  process.stdout.write(
    isJson ? `${JSON.stringify(report, null, 2)}\n` : `\n${reportText(results)}`,
  );
}

function numbersOf(results: readonly EvalResult[]) {
  const generated = results.filter(({ kind }) => kind !== null);
  return {
    goals: summarise(results),
    kinds: summariseKinds(generated),
    quota: quotaOf(generated),
  };
}

function canJudge(goal: Goal, python: Awaited<ReturnType<typeof findPython>>): boolean {
  const lacks =
    'missing' in python
      ? goal.needs.length > 0 && python.missing
      : goal.needs.includes('pytest') && !python.hasPytest && 'pytest is not installed';
  if (lacks) say(`${goal.name}: skipped, ${lacks}`);
  return !lacks;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(error.message);
  process.exitCode = 2;
}
