/**
 * One run as a stream of events: the first says who works, on what and what it may do, and exactly one
 * last one says how it ended. What comes before that first one is known waits for it.
 */
import { VERSION } from '../../lib/version.ts';
import { DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';
import { traitsOf } from '../../schema/driver.ts';
import { type PermissionsSaid, type RunEvent, STREAM_VERSION } from '../../schema/events.ts';
import type { RunState } from '../../schema/state.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/stream.ts';
import { type Said, saidBy } from './bodies.ts';
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
  let waiting: Said[] | null = [];
  let state: RunState | null = null;
  let isResumed = true;
  let number: number | null = null;
  let permissions: PermissionsSaid | null = null;
  let isOver = false;
  const send = ({ body, seq }: Said): void =>
    write({
      ...{ v: STREAM_VERSION, run: state?.run ?? null },
      ...(seq === undefined ? {} : { seq }),
      ...body,
    });
  const begin = (): void => {
    if (waiting === null) return;
    const due = waiting;
    waiting = null;
    const about = { goal: state?.goal ?? goal, workspace, number, permissions };
    send({ body: startedBody(state, { ...about, resumed: isResumed }) });
    for (const said of due) send(said);
  };
  const tell = (event: RunEvent): void => {
    if (isOver) return;
    const before = { turn: turnAfter(state), messages: state?.conversation.length ?? null };
    if ('state' in event) state = event.state;
    if (event.type === 'record' && event.record.type === 'run_opened') isResumed = false;
    if (event.type === 'begun') number = event.number;
    if (event.type === 'permissions') permissions = withoutType(event);
    for (const said of saidBy(event, before)) {
      if (waiting === null) send(said);
      else waiting.push(said);
    }
    if (event.type === 'begun') begin();
  };
  return {
    tell,
    end: (result, last) => {
      if (isOver) return;
      state = last ?? state;
      // A call that was refused before anything was opened has nothing to name.
      if (state !== null || waiting?.length !== 0) begin();
      isOver = true;
      send({ body: result });
    },
  };
}

const turnAfter = (state: RunState | null): number => (state?.counters.turns ?? 0) + 1;

function withoutType({ builds, allow, deny, asks, isConfined }: PermissionsSaid): PermissionsSaid {
  return { builds, allow, deny, asks, isConfined };
}

type Started = StreamBodyOf<'started'>;

function startedBody(
  state: RunState | null,
  about: Pick<Started, 'goal' | 'workspace' | 'number' | 'resumed'> & {
    readonly permissions: PermissionsSaid | null;
  },
): Started {
  const { permissions, ...rest } = about;
  return {
    ...{ type: 'started', version: VERSION, ...rest },
    model: modelOf(state),
    permissions:
      permissions === null
        ? null
        : {
            ...permissions,
            ...{ builds: [...permissions.builds], allow: [...permissions.allow] },
            deny: [...permissions.deny],
          },
  };
}

function modelOf(state: RunState | null): Started['model'] {
  const settings = state?.settings ?? null;
  if (settings === null) return null;
  const { provider, model, profile = DEFAULT_PROFILE, numCtx } = settings;
  return { provider, model, profile, toolMode: traitsOf(settings).mode, contextWindow: numCtx };
}
