import type { Provider } from '../llm/provider.ts';
import type { Processes } from '../processes/contract.ts';
import type { Emit } from '../schema/events.ts';
import type { PauseReason, ToolMode } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';

/** Everything the command line needs from the library, in one place. `wiring.ts` fulfils it. */
export interface Engine {
  openModel(request: OpenModelRequest): Promise<OpenedModel>;
  runGoal(options: RunGoalOptions): Promise<RunResult>;
  /** The current run as its journal tells it; takes no lock and writes nothing. */
  readRun(workspace: string): RunState | null;
  listRuns(workspace: string): readonly RunListing[];
  lockOwner(workspace: string): LockOwner | null;
  /** Reads the whole journal and checks every link. */
  verifyChain(workspace: string): ChainReport;
  /** What an undo would do; `null` when there is no run to undo. */
  planUndo(workspace: string): UndoPlan | null;
  undo(request: UndoRequest): Promise<UndoReport>;
  repair(request: RepairRequest): Promise<RepairReport>;
  embeddedStatus(): EmbeddedStatus;
  setupEmbedded(request: SetupRequest): Promise<EmbeddedStatus>;
  /** Starts and finds programs, for `doctor`. */
  readonly processes: Processes;
  /** Puts the stack of an internal error into `agent.log`; its path, or `null` without a state directory. */
  logError(workspace: string, error: unknown): string | null;
}

export type ProviderName = 'ollama' | 'embedded' | 'recorded';

/** What `--model` says. `model: null` leaves the choice to the provider. */
export interface ModelChoice {
  readonly provider: ProviderName;
  readonly model: string | null;
}

export interface OpenModelRequest {
  readonly choice: ModelChoice;
  /** What `--host` says; `null` leaves it to OLLAMA_HOST and the default. */
  readonly host: string | null;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
}

export interface OpenedModel {
  readonly provider: Provider;
  readonly model: string;
  /** The address or the file it comes from, for people. */
  readonly where: string;
  /** Why another model than the wanted one was taken; '' when it was not. */
  readonly notice: string;
}

export interface RunGoalOptions {
  /** `null` resumes the current run. */
  readonly goal: string | null;
  readonly workspace: string;
  readonly provider: Provider;
  readonly model: string;
  readonly toolMode: 'auto' | ToolMode;
  readonly temperature: number;
  /** `null`: derived from goal, turn and attempt. */
  readonly seed: number | null;
  readonly maxRounds: number;
  readonly allow: readonly string[];
  readonly again: boolean;
  readonly forceUnlock: boolean;
  readonly version: string;
  readonly emit: Emit;
  /** Aborted by the first Ctrl+C: the write in progress is finished, then the run pauses. */
  readonly signal: AbortSignal;
}

export type RunResult = { readonly answer: string | null; readonly state: RunState } & (
  | { readonly ending: 'achieved' | 'unverified' | 'failed'; readonly detail: string }
  | { readonly ending: 'already_finished'; readonly detail: string }
  | { readonly ending: 'paused'; readonly why: PauseReason; readonly detail: string }
);

export interface RunListing {
  readonly run: string;
  readonly goal: string;
  readonly startedAt: number;
  readonly isCurrent: boolean;
  /** `running`, `paused`, `achieved`, … in one word; `damaged` when it cannot be read. */
  readonly status: string;
  readonly rounds: number;
}

export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
  readonly isAlive: boolean;
}

export type ChainReport =
  | { readonly kind: 'none' }
  | { readonly kind: 'ok'; readonly records: number; readonly bytes: number }
  | { readonly kind: 'damaged'; readonly offset: number; readonly why: string };

export interface UndoPlan {
  readonly goal: string;
  /** One line for each file, such as `hello.py (created by the run, will be removed)`. */
  readonly files: readonly string[];
  /** Commands whose effects an undo does not cover. */
  readonly commands: readonly string[];
}

export interface UndoRequest {
  readonly workspace: string;
  readonly forceUnlock: boolean;
  readonly emit: Emit;
}

export interface UndoReport {
  readonly restored: readonly string[];
  /** Files left alone, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly commands: readonly string[];
}

export interface RepairRequest {
  readonly workspace: string;
  readonly forceUnlock: boolean;
}

export interface RepairReport {
  readonly changed: boolean;
  readonly keptRecords: number;
  /** Where the damaged bytes lie now; `null` when nothing was moved. */
  readonly quarantine: string | null;
  readonly detail: string;
}

export interface EmbeddedStatus {
  readonly installed: boolean;
  readonly where: string;
  readonly version: string;
}

export interface SetupRequest {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}
