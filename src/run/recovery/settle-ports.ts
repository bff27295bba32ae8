/** What settling needs, and what it reports. */
import type { Interruptible, InterruptibleRunner } from '../../lib/interruptible.ts';
import type { Leftover } from '../../processes/contract.ts';
import type { ToolResult } from '../../schema/actions.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { Tool, ToolContext } from '../../tools/contract.ts';
import type { ActionLog, FinishDeps } from '../../tools/execute.ts';

export type Intended = RecordOf<'action_intended'>;

export interface SettleDeps extends FinishDeps {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly log: Pick<ActionLog, 'finished'>;
  /** The bytes of a blob; `null` if it is missing. */
  imageOf(hash: string): Uint8Array | null;
  /** The intent's record with its long strings restored; `null`: damage destroyed it. */
  readIntent(offset: number): Intended | null;
  /** Records how the disk differs from the journal after a command whose end nobody saw. */
  recordingUnseen(id: string): Interruptible<void>;
  /** Runs checks of many or large files. When aborted they throw E_INTERRUPTED and have recorded nothing. */
  readonly runInterruptibly: InterruptibleRunner;
  /** True when records after this offset of the journal may have been cut off. */
  wasCutBehind(offset: number): boolean;
}

export interface SettledIntent {
  readonly id: string;
  readonly tool: string;
  /** The call's command or file, for people. */
  readonly target: string;
  readonly how: 'done' | 'done_now' | 'conflict' | 'unknown' | 'not_run' | 'run_again';
  /** What became of the process that it had started; `none`: no process was left. */
  readonly survivor: Leftover;
  /** ` on HOST` if another machine started it; otherwise empty. */
  readonly where: string;
}

export interface SettledOutcome {
  readonly how: Exclude<SettledIntent['how'], 'run_again'>;
  readonly result: ToolResult;
}
