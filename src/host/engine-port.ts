import type { ActiveRun, RunGoalOptions, RunResult } from '../agent.ts';
import type { NextStep, TardigradeError } from '../lib/errors.ts';
import type { HubFile } from '../llm/embedded/hub-file.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { ServerLook, ServersToLookAt } from '../run/servers/look-at-servers.ts';
import type { FileChange } from '../schema/actions.ts';
import type { OpenPermissionRequest } from '../schema/journal/permissions.ts';
import type { Stamped } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { FileDifference } from '../undo/differences.ts';
import type { UndoPreview } from '../undo/preview.ts';
import type { UndoReport } from '../undo/report.ts';
import type { ForHost } from './host-environment.ts';
import type {
  AdoptionPlan,
  AdoptionReport,
  AdoptRequest,
  Dropped,
} from './journals/adopt-contract.ts';
import type { ApplyReport, ApplyRequest } from './journals/apply-contract.ts';
import type { Unsettled } from './journals/unsettled.ts';
import type { LivePort } from './live/live-port.ts';
import type { Download, ProgressLine } from './providers/download.ts';
import type {
  ListedModel,
  Listing,
  ListOptions,
  ModelOptions,
  OpenedModel,
} from './providers/provider-row.ts';
import type { ProviderName } from './providers/providers.ts';

export type {
  AdoptionPlan,
  AdoptionReport,
  AdoptRequest,
  ApplyReport,
  Download,
  Dropped,
  FileDifference,
  ListedModel,
  OpenedModel,
  ProgressLine,
  ProviderName,
  RunResult,
  ServerLook,
  UndoPreview,
  UndoReport,
};

/** Everything a command line or a server needs from the library, in one place; `createEngine` fulfils it. */
export interface Engine {
  openModel(request: OpenModelRequest): Promise<OpenedModel>;
  /** What can be used from here, provider by provider. Never throws for one that is not there. */
  listModels(request: ListModelsRequest): Promise<readonly ProviderListing[]>;
  runGoal(options: ForHost<RunGoalOptions>): Promise<RunResult>;
  openRun(options: ForHost<RunGoalOptions>): Promise<ActiveRun>;
  /** The current run as its journal tells it, or the one named; takes no lock and writes nothing. */
  readRun(workspace: string, run?: string): RunState | null;
  /** The same, and whether this user's agent began it; takes no lock and writes nothing. */
  beliefIn(workspace: string, run?: string): Belief;
  /** E_FOREIGN in the words that fit this user. @param mayBeginAnew whether a goal was named */
  foreignRun(workspace: string, mayBeginAnew: boolean, run?: string): TardigradeError;
  /** What adopting the current run, or the one named, would mean; `null` when there is none. */
  planAdoption(workspace: string, run?: string): AdoptionPlan | null;
  adopt(request: AdoptRequest): AdoptionReport;
  /** What the run of a folder waits for a person to answer. */
  openPermissionRequests(workspace: string): readonly OpenPermissionRequest[];
  answer(request: AnswerRequest): AnswerReport;
  /** What a person said of the servers that the project of a folder would like to have. */
  readonly serverConsents: ServerConsents;
  /** The same of the commands behind a slash that it brings. */
  readonly commandConsents: ServerConsents;
  /** Starts each server as a run would, and ends it. A project's server is only named where a person agreed to it. */
  lookAtServers(request: ServersToLookAt): Promise<readonly ServerLook[]>;
  /** What a person allowed "always here", and the file that keeps it. */
  savedRules(workspace: string): { readonly rules: readonly string[]; readonly file: string };
  /** Watching and answering what another process of this user works on; loaded when it is asked for. */
  live(): Promise<LivePort>;
  listRuns(workspace: string): readonly RunListing[];
  noteFolder(workspace: string): void;
  /** Absolute real paths of the folders that this user worked in, as far as they are noted and there. */
  knownFolders(): readonly string[];
  /** Of the runs of a folder, or of one conversation. */
  lockOwner(workspace: string, session?: string): LockOwner | null;
  /** Reads the whole journal and checks every link. */
  verifyChain(workspace: string): ChainReport;
  /** What an undo would do; `null` when there is no run, or no such conversation, to undo. */
  planUndo(workspace: string, which?: UndoSelection): Promise<UndoPreview | null>;
  /** What it changed and did not put back, file by file in the order of their names; `null` without a run. */
  changes(workspace: string, which?: UndoSelection): Promise<Iterable<FileDifference> | null>;
  /** What a call of the run under way made of a file, at that moment; `null` where it holds something else by now. */
  changeMade(workspace: string, change: FileChange): FileDifference | null;
  /** Throws E_LOCKED where it is open, E_FOREIGN, E_USAGE where the last message of a conversation was cut off. */
  undo(request: UndoRequest): Promise<UndoReport>;
  /** Brings in what was withheld of a run. Throws E_LOCKED, E_FOREIGN, E_USAGE without a run. */
  applyRun(request: ApplyRequest): Promise<ApplyReport>;
  /** What a repair would do; takes no lock and changes nothing. */
  planRepair(workspace: string): Promise<RepairPlan>;
  repair(request: RepairRequest): Promise<RepairReport>;
  embeddedStatus(): Promise<EmbeddedStatus>;
  setupEmbedded(request: SetupRequest): Promise<EmbeddedStatus>;
  /** Lets an Ollama server download a model; resolves with the server's address. */
  setupOllama(request: PullRequest): Promise<string>;
  /** Finds and starts programs; nothing of the workspace is run. */
  programs(workspace: string): Promise<ProgramRunner>;
  /** Whether commands of a run here can be confined. */
  sandbox(workspace: string, signal: AbortSignal): Promise<SandboxState>;
  /** Puts the stack of an internal error into `agent.log`; its path, or `null` without a state directory. */
  logError(workspace: string, error: unknown): string | null;
}

export interface SandboxState {
  readonly holds: boolean;
  readonly what: string;
  /** What a person can do about that; ''. */
  readonly next: string;
}

/** `changed`: a yes was said to another definition of that name. */
export type Consent = 'yes' | 'no' | 'changed' | 'none';

export interface ConsentTo {
  readonly workspace: string;
  readonly name: string;
  /** As `ProjectServer` has it. */
  readonly definition: string;
}

export interface ServerConsents {
  of(server: ConsentTo): Consent;
  /** Throws E_IO without a key to sign with, and what the disk throws. */
  save(server: ConsentTo, allowed: boolean): void;
  /** The names of those that were said something of. @param name `null`: all of the folder */
  forget(workspace: string, name: string | null): readonly string[];
}

export interface AnswerRequest {
  readonly workspace: string;
  readonly id: string;
  readonly allowed: boolean;
  /** Of a no; '' for none. */
  readonly why: string;
}

/** `left`: a runner takes it; `journalled`: it stands in the journal, and a resume goes on with it. */
export interface AnswerReport {
  readonly how: 'journalled' | 'left';
}

/** How much of the run that lies in a folder counts. */
export type Belief =
  | { readonly kind: 'none' }
  /** Without an address that is not this user's. */
  | { readonly kind: 'own'; readonly state: RunState }
  /** It is shown and not acted on. */
  | { readonly kind: 'foreign'; readonly state: RunState };

/** What of the processes room a command may use. */
export type ProgramRunner = Pick<SystemProcesses, 'run' | 'outside' | 'place'>;

/** The model that is asked for. `model: null` leaves the choice to the provider. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string | null;
  /** The address that an unfinished run was given. */
  readonly baseUrl?: string;
}

export interface OpenModelRequest extends Omit<ModelOptions, 'model'> {
  readonly choice: ModelChoice;
  /** Who is asked when the model fails, further keys apart; left out: nobody else is. */
  readonly fallbacks?: readonly (ModelChoice | NonNullable<OpenedModel['fallbacks']>[number])[];
}

export interface ListModelsRequest extends ListOptions {
  /** Nobody else is asked; left out: all are. */
  readonly provider?: string;
}

/** The models of one provider, or why it cannot be asked. */
export interface ProviderListing extends Listing {
  readonly provider: ProviderName;
}

/** A run of a folder as `agent runs` lists it. Times are milliseconds since 1970. */
export interface RunListing {
  readonly id: string;
  /** What people call it by; `null` where its journal does not say it. */
  readonly number: number | null;
  readonly goal: string;
  /** Milliseconds since 1970, like `lastAt`. */
  readonly startedAt: number;
  readonly lastAt: number;
  readonly isCurrent: boolean;
  /** `unfinished`, `achieved`, … in one word; `damaged` when it cannot be read. */
  readonly status: string;
  readonly records: number;
}

/** The process that works in a folder, and whether it is alive as far as that can be seen. */
export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
  readonly isAlive: boolean;
}

export type ChainReport =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'ok';
      readonly records: number;
      readonly bytes: number;
      /** Bytes that a repair has called unreadable; nothing needs them. */
      readonly unreadable?: number;
      /** Calls that were cut off, as the next start finds them; left out where there is none. */
      readonly unsettled?: readonly Unsettled[];
    }
  /** There was a run, and its journal is gone. */
  | { readonly kind: 'missing'; readonly why: string; readonly next: NextStep }
  /** `isMendable`: a repair can do something about it. */
  | {
      readonly kind: 'damaged';
      readonly offset: number;
      readonly why: string;
      readonly next?: NextStep;
    };

/** What is undone: all of the current run, unless it is said otherwise. */
export interface UndoSelection {
  /** The id of another run. */
  readonly run?: string | undefined;
  /** The id of a conversation in the place of a run: of its last message that changed files. */
  readonly session?: string | undefined;
  /** True: every message of the conversation. */
  readonly all?: boolean;
  /** One file alone, as it lies in the workspace with `/` between its folders. */
  readonly file?: string | undefined;
}

export interface UndoRequest extends UndoSelection {
  readonly workspace: string;
  readonly forceUnlock: boolean;
  /** Told of every record after it became durable. */
  onRecord(record: Stamped): void;
}

export interface RepairPlan {
  readonly isNothing: boolean;
  /** Why nothing is to be done. */
  readonly detail: string;
  /** Sentences: what is wrong, what stays, and what the run would no longer know. */
  readonly found: readonly string[];
  readonly kept: readonly string[];
  readonly lost: readonly string[];
  /** The same for the same plan. */
  readonly key: string;
}

export interface RepairRequest {
  readonly workspace: string;
  readonly forceUnlock: boolean;
  /** The key of the plan that was agreed to: another one is not carried out. */
  readonly agreed?: string;
}

export interface RepairReport {
  readonly changed: boolean;
  readonly keptRecords: number;
  /** Where the damaged bytes lie now; `null` when nothing was moved. */
  readonly quarantine: string | null;
  /** Where the journal of another run is now that stood there. */
  readonly other?: string;
  readonly detail: string;
  readonly plan: RepairPlan;
}

export interface EmbeddedStatus {
  readonly installed: boolean;
  readonly where: string;
  readonly version: string;
}

export interface SetupRequest extends Download {
  /** A model to download after the engine; `null`: none. */
  readonly model: HubFile | null;
}

export interface PullRequest extends Download {
  readonly model: string;
  /** As a user gives it; `null` leaves it to OLLAMA_HOST and the default. */
  readonly host: string | null;
}
