import type { RunGoalOptions, RunResult } from '../agent.ts';
import type { HubFile } from '../llm/embedded/hub-file.ts';
import type { Candidate } from '../llm/failover/candidate.ts';
import type { ModelInfo, Provider } from '../llm/provider.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { Price } from '../schema/price.ts';
import type { Stamped } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { UndoReport } from '../undo.ts';

export type { RunResult, UndoReport };

/** Everything the command line needs from the library, in one place. `wiring.ts` fulfils it. */
export interface Engine {
  openModel(request: OpenModelRequest): Promise<OpenedModel>;
  /** What can be used from here, provider by provider. Never throws for one that is not there. */
  listModels(request: ListModelsRequest): Promise<readonly ProviderListing[]>;
  runGoal(request: RunRequest): Promise<RunResult>;
  /** The current run as its journal tells it; takes no lock and writes nothing. */
  readRun(workspace: string): RunState | null;
  listRuns(workspace: string): readonly RunListing[];
  lockOwner(workspace: string): LockOwner | null;
  /** Reads the whole journal and checks every link. */
  verifyChain(workspace: string): ChainReport;
  /** What an undo would do; `null` when there is no run to undo. */
  planUndo(workspace: string): Promise<UndoPlan | null>;
  undo(request: UndoRequest): Promise<UndoReport>;
  repair(request: RepairRequest): Promise<RepairReport>;
  embeddedStatus(): Promise<EmbeddedStatus>;
  setupEmbedded(request: SetupRequest): Promise<EmbeddedStatus>;
  /** Lets an Ollama server download a model; resolves with the server's address. */
  setupOllama(request: PullRequest): Promise<string>;
  /** Finds and starts programs, for `doctor` and the demo. */
  programs(workspace: string): ProgramRunner;
  /** Puts the stack of an internal error into `agent.log`; its path, or `null` without a state directory. */
  logError(workspace: string, error: unknown): string | null;
}

/** What of the processes room a command may use. */
export type ProgramRunner = Pick<SystemProcesses, 'run' | 'programs'>;

export type ProviderName =
  | 'ollama'
  | 'anthropic'
  | 'openai'
  | 'openrouter'
  | 'embedded'
  | 'recorded';

/** What `--model` says. `model: null` leaves the choice to the provider. */
export interface ModelChoice {
  readonly provider: ProviderName;
  readonly model: string | null;
  /** The address that an unfinished run was given. */
  readonly baseUrl?: string;
}

export interface OpenModelRequest {
  readonly choice: ModelChoice;
  /** What `--host` says; `null` leaves it to OLLAMA_HOST and the default. */
  readonly host: string | null;
  /** What `--base-url` says, or said when the run began; `null` leaves it to the environment and the API's own. */
  readonly baseUrl: string | null;
  readonly env: { readonly [name: string]: string | undefined };
  /** Told how a download goes; `null`: nothing is downloaded. */
  readonly report: ((line: string) => void) | null;
  readonly signal: AbortSignal;
  /** Who is asked when the model fails, further keys apart; left out: nobody else is. */
  readonly fallbacks?: readonly ModelChoice[];
}

export type ListModelsRequest = Pick<OpenModelRequest, 'host' | 'baseUrl' | 'env' | 'signal'>;

export interface ProviderListing {
  readonly provider: ProviderName;
  /** The address or the folder, for people. */
  readonly where: string;
  readonly models: readonly ListedModel[];
  /** Why nothing can be listed, in one line; '' where it can. */
  readonly problem: string;
  /** What to do about it, or ''. */
  readonly next: string;
}

export interface ListedModel {
  /** As `--model` takes it. */
  readonly name: string;
  /** Tokens; `null` when unknown. */
  readonly contextWindow: number | null;
  /** `null` where nobody tells. */
  readonly capabilities: ModelInfo['capabilities'] | null;
  /** `free` on this machine or by the server's word; `null` when unknown. */
  readonly price: Price | 'free' | null;
}

export interface OpenedModel {
  readonly provider: Provider;
  readonly model: string;
  /** The address or the file it comes from, for people. */
  readonly where: string;
  /** Why another model than the wanted one was taken; '' when it was not. */
  readonly notice: string;
  /** Names the key in use, where there is more than one way to a model. */
  readonly profile?: string;
  /** The address that was given, without credentials. */
  readonly baseUrl?: string;
  readonly fallbacks?: readonly Candidate[];
  /** Options that this model's API does not take. */
  readonly ignores?: readonly string[];
}

/** The machine is the engine's own business. */
export type RunRequest = Omit<RunGoalOptions, 'machine'> & {
  /** Absolute paths of files that are no work, such as a recording: no folder shows them. */
  readonly hiddenFiles?: readonly string[];
};

export interface RunListing {
  readonly id: string;
  readonly goal: string;
  readonly startedAt: number;
  readonly isCurrent: boolean;
  /** `unfinished`, `achieved`, … in one word; `damaged` when it cannot be read. */
  readonly status: string;
  readonly records: number;
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
  /** Told of every record after it became durable. */
  onRecord(record: Stamped): void;
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

/** How work that takes long is going. */
export interface ProgressLine {
  readonly text: string;
  /** True for a state that the next line replaces, such as how many bytes are here. */
  readonly isPassing: boolean;
}

export interface Download {
  readonly report: (line: ProgressLine) => void;
  /** Milliseconds between two lines about the bytes of a download. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

export interface SetupRequest extends Download {
  /** A model to download after the engine; `null`: none. */
  readonly model: HubFile | null;
}

export interface PullRequest extends Download {
  readonly model: string;
  /** What `--host` says; `null` leaves it to OLLAMA_HOST and the default. */
  readonly host: string | null;
}
