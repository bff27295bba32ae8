/** What one open conversation works with: its journal and every port that a step may need. */

import type { LookDeps } from '../languages/look-deps.ts';
import type { Clock } from '../lib/clock.ts';
import type { Failover } from '../llm/failover/failover.ts';
import type { Lessons } from '../llm/models/lessons.ts';
import type { Redactor } from '../llm/secrets/redactor.ts';
import type { Deadlines } from '../llm/turn/deadlines.ts';
import type { Policy } from '../policy/policy.ts';
import type { Resolution } from '../processes/locate.ts';
import type { Programs } from '../processes/system-processes.ts';
import type { FolderTrust } from '../round/permission/folder-trust.ts';
import type { Asking } from '../round/permission/person.ts';
import type { World } from '../round/world.ts';
import type { RunEvent, SessionEvent } from '../schema/events.ts';
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool, ToolContext } from '../tools/contract.ts';
import type { HookWatch } from '../workspace/git-hooks.ts';
import type { Keeper } from '../workspace/keeper.ts';
import type { ChatContext, SpokenMessages } from './chat-context.ts';
import type { SessionRequest } from './options.ts';

export interface LiveSession {
  readonly context: ChatContext;
  readonly spoken: SpokenMessages;
  readonly request: SessionRequest;
  /** Absolute real path. */
  readonly workspace: string;
  /** Changes when another model is asked for. */
  failover: Failover;
  readonly tools: readonly Tool[];
  /** As the model is told them. */
  definitions(): readonly ToolDefinition[];
  readonly toolContext: ToolContext;
  readonly keeper: Pick<Keeper, 'begin' | 'end' | 'recordingUnseen'>;
  /** What git would run by itself. */
  readonly hooks: HookWatch;
  readonly world: World;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly asking: Asking;
  findProgram(program: string): Promise<Resolution>;
  readonly deadlines: Partial<Deadlines>;
  readonly lessons: Lessons;
  readonly redactor: Redactor;
  lookDeps(): LookDeps;
  /** For what is done without the model: nothing of the workspace. */
  readonly outside: Programs;
  findOutside(program: string): Promise<Resolution>;
  readonly folders: FolderTrust;
  tell(event: SessionEvent): void;
  /** Of the message that is worked on. */
  signal: AbortSignal;
}

/** What waits and other ways to a model take of it. */
export const portOf = ({ context, clock, signal, failover }: LiveSession) => ({
  ...{ context, clock, signal, failover },
  emit: (event: RunEvent): void => context.tell(event),
});
