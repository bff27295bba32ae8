import type { RecordType, Stamped } from '../../schema/records.ts';

/** Pure: compares what the journal says about the time before the kill and after it. */
export interface Comparison {
  readonly before: WorkCount;
  readonly after: WorkCount;
  /** Turns and actions that were finished before the kill and carried out again after it. */
  readonly repeated: readonly string[];
  /** Whether every record from before the kill is still there, unchanged. */
  readonly isPrefixKept: boolean;
}

export interface WorkCount {
  readonly turns: number;
  readonly actions: number;
  /** Processes started: for commands, checks and the proof. */
  readonly programs: number;
}

export function compare(
  linesAtKill: readonly string[],
  linesAtEnd: readonly string[],
  parse: (line: string) => Stamped | null,
): Comparison {
  const kept = linesAtKill.length;
  const records = (lines: readonly string[]): Stamped[] =>
    lines.map(parse).filter((record) => record !== null);
  const first = records(linesAtKill);
  const second = records(linesAtEnd.slice(kept));
  return {
    before: workOf(first),
    after: workOf(second),
    repeated: repeated(first, second),
    isPrefixKept: linesAtKill.every((line, index) => linesAtEnd[index] === line),
  };
}

const workOf = (records: readonly Stamped[]): WorkCount => ({
  turns: of(records, 'turn_finished').length,
  actions: of(records, 'action_finished').length,
  programs: of(records, 'action_started').length,
});

const of = <Type extends RecordType>(records: readonly Stamped[], type: Type) =>
  records.filter((record): record is Extract<Stamped, { type: Type }> => record.type === type);

function repeated(first: readonly Stamped[], second: readonly Stamped[]): string[] {
  const turns = new Set(
    of(first, 'turn_finished')
      .filter((record) => record.status.kind === 'success')
      .map((record) => record.turn),
  );
  const actions = new Set(of(first, 'action_finished').map((record) => record.id));
  return [
    ...of(second, 'turn_finished')
      .filter((record) => turns.has(record.turn))
      .map((record) => `turn ${record.turn}`),
    ...of(second, 'action_intended')
      .filter((record) => actions.has(record.id))
      .map((record) => `action ${record.id} (${record.tool})`),
  ];
}
