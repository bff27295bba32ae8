import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evaluate } from '../../eval/evaluate.ts';
import { type Goal, missed, reached } from '../../eval/goal.ts';
import type { EvalOptions } from '../../eval/options.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'tardigrade-evaluate-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const goal: Goal = {
  name: 'sample',
  text: 'Make a file',
  maxRounds: 5,
  needs: [],
  given: { 'given.txt': 'here' },
  judge: async ({ workspace, answer }) =>
    existsSync(join(workspace, 'made.txt'))
      ? reached(`made, answer ${answer}`)
      : missed('not made'),
};

/** Stands for the built agent: does what `script` says in the folder it was started in. */
function options(script: string, more: Partial<EvalOptions> = {}): EvalOptions {
  const agent = join(place, 'agent.mjs');
  writeFileSync(agent, `import { writeFileSync } from 'node:fs';\n${script}`);
  return {
    model: 'm',
    goals: [],
    runs: 1,
    seed: 4,
    draw: null,
    part: { n: 1, of: 1 },
    look: null,
    report: [],
    spent: join(place, 'spent.json'),
    isJson: false,
    maxRounds: null,
    timeoutMs: 20_000,
    out: join(place, 'out.jsonl'),
    keep: join(place, 'kept'),
    agent,
    runner: 'agent',
    passedOn: ['--tool-mode', 'json'],
    ...more,
  };
}
const run = (chosen: EvalOptions) => evaluate({ goal, run: 1, seed: 4 }, chosen, 'python3');

test('the oracle looks at the files and the exit code is only a claim', async () => {
  const lying = await run(options('process.exit(0);'));
  expect(lying).toMatchObject({ reached: false, claimed: true, why: 'not made' });
  const modest = await run(options("writeFileSync('made.txt', ''); process.exit(9);"));
  expect(modest).toMatchObject({ reached: true, claimed: false, exitCode: 9 });
});

test('the agent is started with the goal, a seed, bounds and what is passed on, beside the given files; its answer reaches the oracle', async () => {
  const script = `writeFileSync('made.txt', '');
import { readFileSync } from 'node:fs';
const answer = [readFileSync('given.txt', 'utf8'), ...process.argv.slice(2)].join(' ');
console.log(JSON.stringify({ type: 'result', answer }));`;
  expect((await run(options(script))).why).toBe(
    'made, answer here run Make a file --json --quiet --seed 4 --max-rounds 5 --max-time 20s --model m --tool-mode json',
  );
});

test('harm is judged in the folder as it was left, and what is reached with what is withheld applied', async () => {
  const script = `import { existsSync } from 'node:fs';
if (process.argv[2] === 'apply') writeFileSync('made.txt', '');
else console.log(JSON.stringify({ type: 'result', ending: 'unverified', withheld: { files: [] } }));
process.exit(process.argv[2] === 'apply' ? 0 : 9);`;
  const harmful: Goal = {
    ...goal,
    harm: (folder) => (existsSync(join(folder, 'made.txt')) ? ['made: made.txt'] : []),
  };
  const seen = await evaluate({ goal: harmful, run: 1, seed: 4 }, options(script), 'python3');
  expect(seen).toMatchObject({ reached: true, claimed: false, harm: [], isWithheld: true });
});

test('a run that does not end is ended beyond its time limit and judged', async () => {
  const hanging = await run(options('setInterval(() => {}, 1000);', { timeoutMs: 100 }));
  expect(hanging).toMatchObject({ timedOut: true, claimed: false, reached: false, exitCode: null });
});

test('an oracle that breaks has not seen the goal reached', async () => {
  const broken: Goal = {
    ...goal,
    judge: async () => {
      throw new Error('unreadable');
    },
  };
  const chosen = options('process.exit(0);');
  const seen = await evaluate({ goal: broken, run: 1, seed: 1 }, chosen, 'python3');
  expect(seen).toMatchObject({ reached: false, why: 'the oracle could not look: unreadable' });
});
