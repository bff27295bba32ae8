import type { OwnedRun, RunGoalOptions, RunResult } from '../agent.ts';
import type { RecoveryHint, TardigradeError } from '../lib/errors.ts';
import type { HubFile } from '../llm/embedded/hub-file.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { ServerLook, ServersToLookAt } from '../run/servers/look-at-servers.ts';
import type { FileChange } from '../schema/actions.ts';
import type { Giver, OpenPermissionRequest } from '../schema/journal/permissions.ts';
import type { Stamped } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { FileDifference } from '../undo/differences.ts';
import type { UndoPreview } from '../undo/preview.ts';
import type { UndoReport } from '../undo/report.ts';
import type { EditSettings } from './config/edit-settings.ts';
import type { ForHost } from './host-environment.ts';
import type { AdoptionPlan, AdoptionReport, AdoptRequest } from './journals/adopt-contract.ts';
import type { ApplyReport, ApplyRequest } from './journals/apply-contract.ts';
import type { Unsettled } from './journals/unsettled.ts';
import type { LivePort } from './live/live-port.ts';
import type { Download } from './providers/download.ts';
import type {
  Listing,
  ListOptions,
  MakeModelOptions,
  OpenedModel,
} from './providers/provider-row.ts';
import type { KeptRule, KeptRules } from './user/kept-rules.ts';

/** Everything that a command line or a server needs from the library; `createEngine` implements it. */
export interface Engine {
  openModel(request: OpenModelRequest): Promise<OpenedModel>;
  /** Lists the usable models by provider. Never throws for an unreachable provider. */
  listModels(request: ListModelsRequest): Promise<readonly ProviderListing[]>;
  runGoal(options: ForHost<RunGoalOptions>): Promise<RunResult>;
  openRun(options: ForHost<RunGoalOptions>): Promise<OwnedRun>;
  /** The current run, or the named one, from its journal; takes no lock and writes nothing. */
  readRun(workspace: string, run?: string): RunState | null;
  /** The state of a run, and whether this user's agent began it; takes no lock and writes nothing. */
  beliefIn(workspace: string, run?: string): Belief;
  /** E_FOREIGN in words that fit this user. @param mayBeginAnew whether a goal was given */
  foreignRun(workspace: string, mayBeginAnew: boolean, run?: string): TardigradeError;
  /** What adopting the current run, or the named one, would mean; `null` if there is none. */
  planAdoption(workspace: string, run?: string): AdoptionPlan | null;
  adopt(request: AdoptRequest): AdoptionReport;
  /** The permissions that a folder's run waits for. */
  openPermissionRequests(workspace: string): readonly OpenPermissionRequest[];
  answer(request: AnswerRequest): AnswerReport;
  /** What a person decided about the servers that a folder's project asks for. */
  readonly serverConsents: ServerConsents;
  readonly commandConsents: ServerConsents;
  /** Starts each server as a run would, and ends it. A project's server is started only with a person's consent. */
  lookAtServers(request: ServersToLookAt): Promise<readonly ServerLook[]>;
  readonly editSettings: EditSettings;
  /** What a person allowed "always here", the oldest first. @param workspace left out: in every folder */
  keptRules(workspace?: string): readonly KeptRule[];
  readonly forgetRule: KeptRules['forget'];
  /** Watches and answers the work of another process of this user; loaded on demand. */
  live(): Promise<LivePort>;
  listRuns(workspace: string): readonly RunListing[];
  noteFolder(workspace: string): void;
  /** Absolute real paths of the folders in which this user has worked, as far as they are recorded and exist. */
  knownFolders(): readonly string[];
  /** For the runs of a folder, or for one conversation. */
  lockOwner(workspace: string, session?: string): LockOwner | null;
  verifyChain(workspace: string): VerifyReport;
  /** What an undo would do; `null` if there is no run, or no such conversation. */
  planUndo(workspace: string, which?: UndoSelection): Promise<UndoPreview | null>;
  /** What the run changed and did not restore, file by file in the order of names; `null` without a run. */
  changes(workspace: string, which?: UndoSelection): Promise<Iterable<FileDifference> | null>;
  /** What a call of the current run changed in a file; `null` if the file has changed again. */
  changeMade(workspace: string, change: FileChange): FileDifference | null;
  /** Throws E_LOCKED if it is open, E_FOREIGN, E_USAGE if the last message of a conversation was cut off. */
  undo(request: UndoRequest): Promise<UndoReport>;
  /** Applies the withheld changes of a run. Throws E_LOCKED, E_FOREIGN, E_USAGE without a run. */
  applyRun(request: ApplyRequest): Promise<ApplyReport>;
  /** What a repair would do; takes no lock and changes nothing. */
  planRepair(workspace: string): Promise<RepairPreview>;
  repair(request: RepairRequest): Promise<RepairReport>;
  embeddedStatus(): Promise<EmbeddedStatus>;
  setupEmbedded(request: SetupRequest): Promise<EmbeddedStatus>;
  /** Lets an Ollama server download a model; resolves with the server's address. */
  setupOllama(request: PullRequest): Promise<string>;
  /** Finds and starts programs; runs nothing of the workspace. */
  programs(workspace: string): Promise<ProgramRunner>;
  /** Whether commands of a run can be sandboxed here. */
  sandbox(workspace: string, signal: AbortSignal): Promise<SandboxState>;
  /**
   * Writes the stack of an internal error to `agent.log`; returns the log's path; `null`: it could not be
   * written. Never throws.
   */
  logError(workspace: string, error: unknown): string | null;
}

export interface SandboxState {
  readonly holds: boolean;
  readonly what: string;
  /** What a person can do about the fault; '' if nothing. */
  readonly next: string;
}

/** `changed`: the person agreed to another definition of that name. */
export type Consent = 'yes' | 'no' | 'changed' | 'none';

export interface ConsentTo {
  readonly workspace: string;
  readonly name: string;
  /** The definition, as `ProjectServer` has it. */
  readonly definition: string;
}

export interface ServerConsents {
  of(server: ConsentTo): Consent;
  /** Throws E_IO without a key to sign with, and what the disk throws. */
  save(server: ConsentTo, allowed: boolean): void;
  /** Forgets decisions and returns their names. @param name `null`: all of the folder */
  forget(workspace: string, name: string | null): readonly string[];
}

export interface AnswerRequest {
  readonly workspace: string;
  readonly id: string;
  readonly allowed: boolean;
  /** The reason for a no; '' for none. */
  readonly why: string;
  /** True if the same answer may have been given before; it then counts as this one. */
  readonly mayRepeat?: true;
  /** Left out: a command in a terminal. */
  readonly giver?: Giver;
}

/** `left`: the process of the run takes it; `journalled`: it is in the journal, for the next resume. */
export type AnswerReport = { readonly how: 'journalled' | 'left' };

/** How far the run in a folder is trusted. */
export type Belief =
  | { readonly kind: 'none' }
  /** The state leaves out an address that is not this user's. */
  | { readonly kind: 'own'; readonly state: RunState }
  /** The state of somebody else's run: it is shown but not acted on. */
  | { readonly kind: 'foreign'; readonly state: RunState };

/** The part of the processes room that a command may use. */
export type ProgramRunner = Pick<SystemProcesses, 'run' | 'outside' | 'place'>;

/** The model that is asked for; `model: null` leaves the choice to the provider. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string | null;
  /** The address that an unfinished run was begun with. */
  readonly baseUrl?: string;
}

export interface OpenModelRequest extends Omit<MakeModelOptions, 'model'> {
  readonly choice: ModelChoice;
  /** Models to ask if the first one fails, besides further keys; left out: none. */
  readonly fallbacks?: readonly (ModelChoice | NonNullable<OpenedModel['fallbacks']>[number])[];
}

export interface ListModelsRequest extends ListOptions {
  /** The only provider to ask; left out: all. */
  readonly provider?: string;
}

/** The models of one provider, or why it cannot be asked. */
export interface ProviderListing extends Listing {
  readonly provider: string;
}

/** A run of a folder as `agent runs` lists it. Times are milliseconds since 1970. */
export interface RunListing {
  readonly id: string;
  /** The number that people use; `null` if its journal does not say. */
  readonly number: number | null;
  readonly goal: string;
  /** Milliseconds since 1970, like `lastAt`. */
  readonly startedAt: number;
  readonly lastAt: number;
  readonly isCurrent: boolean;
  /** `unfinished`, `achieved`, … in one word; `damaged` if it is unreadable. */
  readonly status: string;
  readonly records: number;
}

/** The process that works in a folder, and whether it is alive as far as can be seen. */
export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
  readonly isAlive: boolean;
}

export type VerifyReport =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'ok';
      readonly records: number;
      readonly bytes: number;
      /** Bytes that a repair has declared unreadable; nothing needs them. */
      readonly unreadable?: number;
      /** Interrupted calls that the next start will find; left out if there are none. */
      readonly unsettled?: readonly Unsettled[];
    }
  /** There was a run, but its journal is gone. */
  | { readonly kind: 'missing'; readonly why: string; readonly next: RecoveryHint }
  /** `next` left out: a repair can help. */
  | {
      readonly kind: 'damaged';
      readonly offset: number;
      readonly why: string;
      readonly next?: RecoveryHint;
    };

/** What to undo; by default the whole current run. */
export interface UndoSelection {
  readonly run?: string | undefined;
  /** The id of a conversation instead of a run: its last message that changed files. */
  readonly session?: string | undefined;
  /** True: every message of the conversation. */
  readonly all?: boolean;
  /** A single file, relative to the workspace, with `/` between folders. */
  readonly file?: string | undefined;
}

export interface UndoRequest extends UndoSelection {
  readonly workspace: string;
  readonly forceUnlock: boolean;
  /** Called for every record once it is durable. */
  onRecord(record: Stamped): void;
}

export interface RepairPreview {
  readonly isNothing: boolean;
  /** Why there is nothing to do. */
  readonly detail: string;
  /** Sentences: what is wrong, what stays, and what the run would forget. */
  readonly found: readonly string[];
  readonly kept: readonly string[];
  readonly lost: readonly string[];
  /** Equal for equal plans. */
  readonly key: string;
}

export interface RepairRequest {
  readonly workspace: string;
  readonly forceUnlock: boolean;
  /** The key of the plan that a person agreed to: no other plan is carried out. */
  readonly agreed?: string;
}

export interface RepairReport {
  readonly changed: boolean;
  readonly keptRecords: number;
  /** Where the damaged bytes are now; `null` if nothing was moved. */
  readonly quarantine: string | null;
  /** The new place of another run's journal that was in the way. */
  readonly other?: string;
  readonly detail: string;
  readonly plan: RepairPreview;
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
  /** As the user types it; `null`: OLLAMA_HOST or the default. */
  readonly host: string | null;
}
