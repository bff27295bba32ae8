/** What one run works with: its context and every port that a step may need. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { InspectionDeps } from '../languages/files/inspection.ts';
import type { Installed } from '../languages/language.ts';
import type { Clock } from '../lib/clock.ts';
import type { Failover } from '../llm/failover/failover.ts';
import type { SharedCooldowns } from '../llm/failover/shared.ts';
import type { Lessons } from '../llm/models/lessons.ts';
import type { Provider } from '../llm/provider.ts';
import type { Deadlines } from '../llm/turn/deadlines.ts';
import type { Policy } from '../policy/policy.ts';
import type { Resolution } from '../processes/programs/locate.ts';
import type { ToolNames } from '../schema/actions.ts';
import type { Emit } from '../schema/events/events.ts';
import type { ToolDefinition } from '../schema/model/turn.ts';
import type { Limits } from '../steps/step.ts';
import type { BackgroundLife } from '../tools/commands/background.ts';
import type { Tool, ToolContext } from '../tools/contract.ts';
import type { Decide } from '../tools/decision.ts';
import type { BeforeImages } from '../workspace/before-images/before-images.ts';
import type { HookWatch } from '../workspace/git-hooks.ts';
import type { KeptCopy } from '../workspace/kept-copy.ts';
import type { World } from './files/world.ts';
import type { FolderTrust } from './permission/folder-trust.ts';
import type { Approver } from './permission/person.ts';

/** The engine's scratch copy of the workspace. */
export interface Scratch {
  /** Absolute path. The folder exists only while the copy is in use. */
  readonly folder: string;
  readonly kept: KeptCopy;
  /** The policy for commands that work in the copy. */
  readonly policy: Policy;
  /** The policy for commands of the run that the engine repeats in the copy by itself. */
  readonly repeats: Decide;
}

export interface RunPorts {
  readonly context: ContextManager;
  /** The provider of the candidate in use. */
  readonly provider: Provider;
  /** The candidates and their health. */
  readonly failover: Failover;
  /** Rate-limit pauses reported by other runs with the same profiles. */
  readonly cooldowns?: SharedCooldowns | undefined;
  /** Actions that reach beyond the workspace's files wait for it. */
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  /** The tools as the model is told of them. */
  readonly definitions: readonly ToolDefinition[];
  readonly toolContext: ToolContext;
  /** Observes files while programs run in the workspace. */
  readonly beforeImages: Pick<BeforeImages, 'begin' | 'end' | 'recordBack' | 'recordingUnseen'>;
  /** The background programs that the model started. */
  readonly background: BackgroundLife;
  /** Watches what git would run by itself. */
  readonly hooks: HookWatch;
  readonly world: World;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** When aborted, the final trials are skipped. */
  readonly skipTrials: AbortSignal;
  readonly limits: Limits;
  /** Bytes kept of results that were not shown in full. */
  readonly outputLimits: { readonly command: number; readonly run: number };
  /** Milliseconds since this invocation began to work. */
  elapsedMs(): number;
  readonly deadlines: Partial<Deadlines>;
  /** What inspecting written files needs. */
  inspectionDeps(): InspectionDeps;
  /** The installed programs that languages use. */
  readonly installed: Installed;
  /** True when a program can be run here, according to the command resolver. */
  isInstalled(program: string): Promise<boolean>;
  /** A line of the system prompt about how programs are installed here; constant within a run. */
  readonly notes: string;
  /** What the run may do. */
  readonly policy: Policy;
  /** Who answers the policy's questions. */
  readonly asking: Approver;
  findProgram(program: string): Promise<Resolution>;
  /** Finds a program outside the workspace, whatever is allowed inside. */
  findOutside(program: string): Promise<Resolution>;
  /** Which program folders of the workspace may be used. */
  readonly folders: FolderTrust;
  /** What runs have learnt about models, if that is kept. */
  readonly lessons: Lessons;
  /** Where the engine tries what it must not try in the workspace. */
  readonly scratch: Scratch;
  /** Keeps the stack of an internal error for people. */
  logError(error: unknown): void;
}
