/** What one run works with: its context and every port a step may need. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { LookDeps } from '../languages/files/look-deps.ts';
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
import type { BeforeImages } from '../workspace/before-images/before-images.ts';
import type { HookWatch } from '../workspace/git-hooks.ts';
import type { World } from './files/world.ts';
import type { FolderTrust } from './permission/folder-trust.ts';
import type { Approver } from './permission/person.ts';

/** The engine's own copy of the workspace. */
export interface Scratch {
  /** Absolute path; there is nothing unless it is in use. */
  readonly folder: string;
  /** For a command that works in the copy. */
  readonly policy: Policy;
}

export interface Run {
  readonly context: ContextManager;
  /** Of the candidate in use. */
  readonly provider: Provider;
  /** How its model may be asked. */
  readonly failover: Failover;
  /** What others were asked for who share its profiles. */
  readonly cooldowns?: SharedCooldowns | undefined;
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  /** As the model is told them. */
  readonly definitions: readonly ToolDefinition[];
  readonly toolContext: ToolContext;
  /** Stands by while programs run in the workspace. */
  readonly beforeImages: Pick<BeforeImages, 'begin' | 'end' | 'recordBack' | 'recordingUnseen'>;
  /** Programs that its model has started beside it. */
  readonly background: BackgroundLife;
  /** What git would run by itself. */
  readonly hooks: HookWatch;
  readonly world: World;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** Aborted: the trials at the end are skipped. */
  readonly skipTrials: AbortSignal;
  readonly limits: Limits;
  /** Bytes of what is kept of results that were not shown whole. */
  readonly outputLimits: { readonly command: number; readonly run: number };
  /** Milliseconds since this invocation began to work. */
  elapsedMs(): number;
  readonly deadlines: Partial<Deadlines>;
  /** What the looks at written files need. */
  lookDeps(): LookDeps;
  /** What of the languages' programs is on this machine. */
  readonly installed: Installed;
  /** Whether a program can be run here, by the resolver of commands. */
  isInstalled(program: string): Promise<boolean>;
  /** How programs are laid out here: a line of the system prompt, constant in a run. */
  readonly notes: string;
  /** What it may do. */
  readonly policy: Policy;
  /** Who answers what the policy asks. */
  readonly asking: Approver;
  findProgram(program: string): Promise<Resolution>;
  /** The same without the workspace, whatever was allowed there. */
  findOutside(program: string): Promise<Resolution>;
  /** Whose programs of the workspace may be run. */
  readonly folders: FolderTrust;
  /** What runs have learnt of models, where that is kept. */
  readonly lessons: Lessons;
  /** Where the engine tries what it must not try in the workspace. */
  readonly scratch: Scratch;
  /** Keeps the stack of an internal error for people. */
  logError(error: unknown): void;
}
