/** Results of runs → lines and tables for a person. Pure. */
import type { AgentRun } from './agent-run.ts';

export interface EvalResult extends Omit<AgentRun, 'answer'> {
  readonly goal: string;
  readonly run: number;
  readonly seed: number;
  readonly model: string | null;
  /** What the oracle found. */
  readonly reached: boolean;
  /** The agent said that the goal is achieved. */
  readonly claimed: boolean;
  /** Why the oracle says so. */
  readonly why: string;
}

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

export const isFalseClaim = ({ claimed, reached }: EvalResult): boolean => claimed && !reached;

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
  const verdict = isFalseClaim(result)
    ? 'FALSE CLAIM'
    : result.reached
      ? result.claimed
        ? 'reached'
        : 'reached, not claimed'
      : 'missed';
  const numbers = `${result.rounds} rounds, ${Math.round(result.seconds)} s, ${result.tokensIn + result.tokensCached} tokens in (${result.tokensCached} cached), ${result.tokensOut} out, ${result.promptBytes} prompt bytes`;
  const agent = `exit ${result.exitCode ?? 'none'}${result.said === '' ? '' : `, ${firstLine(result.said)}`}`;
  return `${result.goal} ${result.run} (seed ${result.seed}): ${verdict} · ${numbers}\n    oracle: ${firstLine(result.why)}\n    agent:  ${agent}`;
}

/** A Markdown table of the goals, then every false claim. */
export function reportText(results: readonly EvalResult[]): string {
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
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const claims = results.filter(isFalseClaim);
  const list = claims.map(
    (result) => `- ${result.goal} ${result.run} (seed ${result.seed}): ${firstLine(result.why)}`,
  );
  const title = `False claims of success: ${claims.length} in ${results.length} runs`;
  return `${[title, ...list, '', ...table].join('\n')}\n`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? 0;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);
