/**
 * One run as a stream of events: the first says who works, on what and what it may do, and exactly one
 * last one says how it ended.
 */
import { VERSION } from '../../lib/version.ts';
import { DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';
import { traitsOf } from '../../schema/driver.ts';
import type { PermissionsSaid, RunEvent } from '../../schema/events.ts';
import type { RunState } from '../../schema/state.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/stream.ts';
import { saidBy } from './bodies.ts';
import { inOrder } from './in-order.ts';
import type { ResultBody } from './result-body.ts';

export interface Narrator {
  tell(event: RunEvent): void;
  /** The end. Nothing is told behind it. @param state where there is one that no event brought */
  end(result: ResultBody, state?: RunState): void;
}

/** @param write is given each event in its order */
export function createNarrator(
  { goal, workspace }: { readonly goal: string | null; readonly workspace: string },
  write: (event: StreamEvent) => void,
): Narrator {
  let state: RunState | null = null;
  let isResumed = true;
  let number: number | null = null;
  let permissions: PermissionsSaid | null = null;
  const order = inOrder(
    () => ({ run: state?.run ?? null }),
    () => ({
      ...{ type: 'started', version: VERSION, goal: state?.goal ?? goal, workspace, number },
      ...{ resumed: isResumed, model: modelOf(state), permissions: permissionsBody(permissions) },
    }),
    write,
  );
  return {
    tell: (event) => {
      if (order.isOver) return;
      const before = { turn: turnAfter(state), messages: state?.conversation.length ?? null };
      if ('state' in event) state = event.state;
      if (event.type === 'record' && event.record.type === 'run_opened') isResumed = false;
      if (event.type === 'begun') number = event.number;
      if (event.type === 'permissions') permissions = event;
      order.say(saidBy(event, before));
      if (event.type === 'begun') order.begin();
    },
    end: (result, last) => {
      if (order.isOver) return;
      state = last ?? state;
      // A call that was refused before anything was opened has nothing to name.
      order.end(result, state !== null);
    },
  };
}

const turnAfter = (state: RunState | null): number => (state?.counters.turns ?? 0) + 1;

type Started = StreamBodyOf<'started'>;

export function permissionsBody(said: PermissionsSaid | null): Started['permissions'] {
  if (said === null) return null;
  const { builds, allow, deny, asks, isConfined } = said;
  return { builds: [...builds], allow: [...allow], deny: [...deny], asks, isConfined };
}

function modelOf(state: RunState | null): Started['model'] {
  const settings = state?.settings ?? null;
  if (settings === null) return null;
  const { provider, model, profile = DEFAULT_PROFILE, numCtx } = settings;
  return { provider, model, profile, toolMode: traitsOf(settings).mode, contextWindow: numCtx };
}
