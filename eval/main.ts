/** `npm run eval`: real goals on a real model, judged by oracles that never trust the agent's word. */
import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { evaluate } from './evaluate.ts';
import type { Goal } from './goal.ts';
import { GOALS } from './goals.ts';
import { type EvalOptions, HELP, parseOptions, UsageError } from './options.ts';
import { findPython } from './programs.ts';
import { type EvalResult, reportText, resultLine, summarise } from './report.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A model file is named from here, but the agent works elsewhere. */
function fromHere(model: string | null): string | null {
  const file = /^(embedded|recorded):(.+)$/.exec(model ?? '');
  return file === null ? model : `${file[1]}:${resolve(file[2] ?? '')}`;
}

async function main(): Promise<number> {
  const parsed = parseOptions(process.argv.slice(2), GOALS);
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
  if (!existsSync(options.agent)) throw new UsageError('dist/bin.js is missing: npm run build');
  const python = await findPython();
  const goals = options.goals.filter((goal) => canJudge(goal, python));
  const results: EvalResult[] = [];
  for (const goal of goals) {
    for (let run = 1; run <= options.runs; run += 1) {
      const order = { goal, run, seed: options.seed + run - 1 };
      const program = 'program' in python ? python.program : 'python';
      const result = await evaluate(order, options, program).catch((error: unknown) => {
        say(`${goal.name} ${run}: no result, ${String(error)}`);
        return null;
      });
      if (result === null) continue;
      appendFileSync(options.out, `${JSON.stringify(result)}\n`);
      results.push(result);
      say(resultLine(result));
    }
  }
  if (options.isJson) {
    process.stdout.write(`${JSON.stringify({ goals: summarise(results), results }, null, 2)}\n`);
  } else process.stdout.write(`\n${reportText(results)}`);
  return 0;
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
