/** What settling works with, and what it says. */
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
  /** The bytes of a blob; `null` where it is not there. */
  imageOf(hash: string): Uint8Array | null;
  /** The intent's record with its long strings in place; `null`: a damage took it. */
  readIntent(offset: number): Intended | null;
  /** Records what differs from what the journal has, for a command whose end nobody saw. */
  recordingUnseen(id: string): Interruptible<void>;
  /** For looks at many or large files: aborted, they throw E_INTERRUPTED, and nothing was recorded by them. */
  readonly runInterruptibly: InterruptibleRunner;
  /** True where records behind that place of the journal may have been cut off. */
  wasCutBehind(offset: number): boolean;
}

export interface SettledIntent {
  readonly id: string;
  readonly tool: string;
  /** Its command or file, for people. */
  readonly target: string;
  readonly how: 'done' | 'done_now' | 'conflict' | 'unknown' | 'not_run' | 'run_again';
  /** What became of what it had started and was still running: `none` was. */
  readonly survivor: Leftover;
  /** ` on HOST` where another machine started it; ''. */
  readonly where: string;
}

export interface Outcome {
  readonly how: Exclude<SettledIntent['how'], 'run_again'>;
  readonly result: ToolResult;
}
