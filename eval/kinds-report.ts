/** Runs of generated goals, kind by kind. Pure. */
import { type EvalResult, isFalseClaim, median } from './result.ts';

export interface KindSummary {
  readonly kind: string;
  readonly statesWhatIsRight: boolean;
  readonly runs: number;
  readonly reached: number;
  readonly claimed: number;
  /** Reached, and the run did not say so. */
  readonly rightUnverified: number;
  readonly falseClaims: number;
  /** Runs that did something to given files that nobody asked for. */
  readonly harm: number;
  readonly roundsMedian: number;
  readonly roundsMost: number;
  /** Medians of a run. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface Quota {
  readonly reached: number;
  readonly claimed: number;
}

/** In the order in which kinds come first, then all of them as `all`. */
export function summariseKinds(results: readonly EvalResult[]): readonly KindSummary[] {
  const kinds = [...new Set(results.map(({ kind }) => kind))].filter((kind) => kind !== null);
  const rows = kinds.map((kind) =>
    summary(
      kind,
      results.filter((result) => result.kind === kind),
    ),
  );
  return [...rows, summary('all', results)];
}

function summary(kind: string, runs: readonly EvalResult[]): KindSummary {
  const count = (is: (result: EvalResult) => boolean): number => runs.filter(is).length;
  return {
    kind,
    statesWhatIsRight: runs.every((result) => result.statesWhatIsRight),
    runs: runs.length,
    reached: count(({ reached }) => reached),
    claimed: count(({ claimed }) => claimed),
    rightUnverified: count(({ reached, claimed }) => reached && !claimed),
    falseClaims: count(isFalseClaim),
    harm: count(({ harm }) => harm.length > 0),
    roundsMedian: median(runs.map(({ rounds }) => rounds)),
    roundsMost: Math.max(0, ...runs.map(({ rounds }) => rounds)),
    tokensIn: median(runs.map(({ tokensIn, tokensCached }) => tokensIn + tokensCached)),
    tokensOut: median(runs.map(({ tokensOut }) => tokensOut)),
  };
}

/** Of what was reached where the goal or given tests say what is right, how much was claimed. */
export function quotaOf(results: readonly EvalResult[]): Quota {
  const counted = results.filter((result) => result.statesWhatIsRight && result.reached);
  return { reached: counted.length, claimed: counted.filter(({ claimed }) => claimed).length };
}

const HEAD = [
  'kind',
  'runs',
  'reached',
  'claimed',
  'right, unverified',
  'false claims',
  'harm',
  'rounds (most)',
  'tokens in',
  'tokens out',
];

export function kindsText(results: readonly EvalResult[]): string {
  const summaries = summariseKinds(results);
  const rows = summaries.map((row) => [
    row.kind === 'all' || !row.statesWhatIsRight ? row.kind : `${row.kind} *`,
    row.runs,
    row.reached,
    row.claimed,
    row.rightUnverified,
    row.falseClaims,
    row.harm,
    `${row.roundsMedian} (${row.roundsMost})`,
    row.tokensIn,
    row.tokensOut,
  ]);
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const { reached, claimed } = quotaOf(results);
  const share = reached === 0 ? '' : ` (${Math.round((100 * claimed) / reached)} %)`;
  return `${[
    ...table,
    '',
    '\\* the goal or given tests say what is right.',
    `Of ${reached} reached there, ${claimed} were claimed${share}.`,
  ].join('\n')}\n`;
}
