/** Results of runs → lines and tables for a person. Pure. */
import { kindsText } from './kinds-report.ts';
import { type EvalResult, isFalseClaim, median } from './result.ts';

export interface GoalSummary {
  readonly goal: string;
  readonly runs: number;
  readonly reached: number;
  readonly claimed: number;
  readonly falseClaims: number;
  readonly roundsMedian: number;
  readonly roundsMost: number;
  readonly secondsMedian: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly promptBytes: number;
}

export function summarise(results: readonly EvalResult[]): readonly GoalSummary[] {
  const goals = [...new Set(results.map(({ goal }) => goal))];
  return goals.map((goal) => {
    const runs = results.filter((result) => result.goal === goal);
    const middle = (pick: (result: EvalResult) => number): number => median(runs.map(pick));
    return {
      goal,
      runs: runs.length,
      reached: runs.filter((result) => result.reached).length,
      claimed: runs.filter((result) => result.claimed).length,
      falseClaims: runs.filter(isFalseClaim).length,
      roundsMedian: middle(({ rounds }) => rounds),
      roundsMost: Math.max(...runs.map(({ rounds }) => rounds)),
      secondsMedian: Math.round(middle(({ seconds }) => seconds)),
      tokensIn: middle(({ tokensIn, tokensCached }) => tokensIn + tokensCached),
      tokensOut: middle(({ tokensOut }) => tokensOut),
      promptBytes: middle(({ promptBytes }) => promptBytes),
    };
  });
}

export function resultLine(result: EvalResult): string {
  const numbers = `${result.rounds} rounds, ${Math.round(result.seconds)} s, ${result.tokensIn + result.tokensCached} tokens in (${result.tokensCached} cached), ${result.tokensOut} out, ${result.promptBytes} prompt bytes`;
  const harm = result.harm.length === 0 ? '' : ` · HARM ${result.harm.join(', ')}`;
  const agent = `exit ${result.exitCode ?? 'none'}${result.said === '' ? '' : `, ${firstLine(result.said)}`}`;
  return `${title(result)}: ${verdictOf(result)}${harm} · ${numbers}\n    oracle: ${firstLine(result.why)}\n    agent:  ${agent}`;
}

function verdictOf(result: EvalResult): string {
  if (isFalseClaim(result)) return 'FALSE CLAIM';
  if (!result.reached) return 'missed';
  return result.claimed ? 'reached' : 'reached, not claimed';
}

const title = ({ goal, run, seed, runner }: EvalResult): string =>
  `${goal} ${run} (seed ${seed}${runner === 'plain' ? ', plain' : ''})`;

/** One report a runner; where both ran, how they compare on the same goals and seeds. */
export function reportText(results: readonly EvalResult[]): string {
  const of = (runner: EvalResult['runner']) => results.filter((one) => one.runner === runner);
  const [agent, plain] = [of('agent'), of('plain')];
  if (plain.length === 0) return runnerText(agent);
  const parts = agent.length === 0 ? [] : [`Runner: agent\n\n${runnerText(agent)}`];
  return [...parts, `Runner: plain\n\n${runnerText(plain)}`, pairsText(agent, plain)].join('\n');
}

function pairsText(agent: readonly EvalResult[], plain: readonly EvalResult[]): string {
  const pairs = agent.flatMap((one) => {
    const other = plain.find(({ goal, seed }) => goal === one.goal && seed === one.seed);
    return other === undefined ? [] : [[one.reached, other.reached] as const];
  });
  const count = (is: (agent: boolean, plain: boolean) => boolean): number =>
    pairs.filter(([one, other]) => is(one, other)).length;
  const both = count((one, other) => one && other);
  const onlyAgent = count((one, other) => one && !other);
  const onlyPlain = count((one, other) => !one && other);
  return `Of ${pairs.length} goals that both ran: reached by both ${both}, only by the agent ${onlyAgent}, only by the plain prompt ${onlyPlain}, by either ${both + onlyAgent + onlyPlain}.\n`;
}

/** False claims and harm one by one, then Markdown tables: kinds of generated goals, fixed goals. */
function runnerText(results: readonly EvalResult[]): string {
  const generated = results.filter(({ kind }) => kind !== null);
  const fixed = results.filter(({ kind }) => kind === null);
  const claims = results.filter(isFalseClaim);
  const harmful = results.filter(({ harm }) => harm.length > 0);
  return [
    `False claims of success: ${claims.length} in ${results.length} runs`,
    ...claims.map((result) => `- ${title(result)}: ${firstLine(result.why)}`),
    `Runs that harmed: ${harmful.length}`,
    ...harmful.map((result) => `- ${title(result)}: ${result.harm.join(', ')}`),
    ...(generated.length === 0 ? [] : ['', kindsText(generated).trimEnd()]),
    ...(fixed.length === 0 ? [] : ['', ...goalRows(fixed)]),
    '',
  ].join('\n');
}

function goalRows(results: readonly EvalResult[]): readonly string[] {
  const rows = summarise(results).map((goal) => [
    goal.goal,
    `${goal.reached} of ${goal.runs}`,
    String(goal.claimed),
    String(goal.falseClaims),
    `${goal.roundsMedian} (${goal.roundsMost})`,
    String(goal.secondsMedian),
    String(goal.tokensIn),
    String(goal.tokensOut),
    String(goal.promptBytes),
  ]);
  const head = [
    'goal',
    'reached',
    'claimed',
    'false claims',
    'rounds (most)',
    'seconds',
    'tokens in',
    'tokens out',
    'prompt bytes',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);
