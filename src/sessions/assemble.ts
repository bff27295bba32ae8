/** Puts an open conversation together: a run, and what is said in it. */

import { type ChatContext, SpokenMessages } from '../round/chat/context.ts';
import type { RecordSwitch } from '../round/failover.ts';
import { reconfigure } from '../run/chat/settings.ts';
import type { ChosenModel } from '../run/choose-model.ts';
import { makeRun } from '../run/make-run.ts';
import type { Opened } from '../run/open.ts';
import type { WallFound } from '../run/wall.ts';
import type { Tool } from '../tools/contract.ts';
import type { LiveSession } from './live-session.ts';
import type { SessionRequest } from './options.ts';

export interface Parts {
  readonly opened: Opened<ChatContext>;
  readonly request: SessionRequest;
  readonly model: ChosenModel;
  /** Of servers, and of the program that embeds this one. */
  readonly toolsBeside: readonly Tool[];
  readonly wall: WallFound;
}

export async function assemble({
  opened,
  request,
  model,
  toolsBeside,
  wall,
}: Parts): Promise<LiveSession> {
  const { context } = opened;
  const run = await makeRun(opened, model, request.run, toolsBeside, wall);
  const spoken = new SpokenMessages(context);
  const { signal } = run;
  const live = Object.assign(run, { context, spoken, request, signal });
  const recordSwitch: RecordSwitch = (...after) => reconfigure(live, ...after);
  return Object.assign(live, { reconfigure: recordSwitch });
}
