/**
 * A run or a conversation that other programs of its user can watch, answer and message while it works.
 *
 * 1. Nothing is loaded or opened before the first request has been sent, or a question waits for a person.
 * 2. A failure to listen does not affect the work.
 */
import { defined } from '../../lib/defined.ts';
import { raced } from '../../lib/raced.ts';
import type { LiveChannel } from '../../live/open.ts';
import type { OwnerParts } from '../../live/owner.ts';
import type { Done } from '../../live/protocol.ts';
import { Questions } from '../../live/questions.ts';
import type { LivePlace } from '../../live/socket-folder.ts';
import { type Asker, safeAsk } from '../../round/permission/answer.ts';
import type { AskPlan, PlanAsker } from '../../round/plan/plan-review.ts';
import type { RunGoalOptions } from '../../run/options.ts';
import { inEnvelope } from '../../run/stream/in-order.ts';
import { createNarrator, type Narrator } from '../../run/stream/narrator.ts';
import type { ResultBody } from '../../run/stream/result-body.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { StreamBody, StreamEvent } from '../../schema/events/stream.ts';
import type { Inbox, LineTaken } from '../../schema/inbox.ts';
import type { SessionOptions } from '../../sessions/options.ts';
import type { Session } from '../../sessions/session.ts';

/** What a watcher may ask of the owner of the work. */
export interface LiveHooks extends Pick<OwnerParts, 'command' | 'close'> {
  send(text: string): Done;
  pause(): Done;
}

export interface LiveParts {
  readonly place: LivePlace;
  readonly originKey: Uint8Array | null;
  /** An existing folder. */
  readonly workspace: string;
  readonly clock: LiveChannelClock;
  readonly ask?: RunGoalOptions['ask'];
  /** The goal that it was begun with; `null`: it continues, or is a conversation. */
  readonly goal: string | null;
  readonly hooks: LiveHooks;
}

type LiveChannelClock = Parameters<
  typeof import('../../live/open.ts').openChannelFor
>[0]['clock'] & {
  now(): number;
};

/** Milliseconds in which the request is sent before anything is loaded. */
const BEHIND_REQUEST_MS = 50;

export class LiveWork {
  readonly questions: Questions;
  readonly #parts: LiveParts;
  readonly #narrator: Narrator;
  readonly #stop = new AbortController();
  #started: StreamEvent | null = null;
  #run = '';
  /** The last event of a record before opening began: its record, and which of its events it is. */
  #last = { seq: 0, at: 0 };
  #waiting: StreamEvent[] = [];
  #opening: Promise<LiveChannel> | null = null;
  #channel: LiveChannel | null = null;

  constructor(parts: LiveParts) {
    const { ask, workspace, goal } = parts;
    const here = ask === undefined ? null : safeAsk(functionOf(ask), () => {});
    this.#parts = parts;
    this.questions = new Questions(here, {
      opened: (question) => this.#channel?.owner?.opened(question),
      settled: (id) => this.#channel?.owner?.settled(id),
    });
    this.#narrator = createNarrator({ workspace, goal }, (event) => this.#tell(event));
  }

  get asker(): Asker {
    const { ask, isThere } = this.questions;
    return { ask, isThere };
  }

  /**
   * A question opens the channel even before the first request. A caller that asks only about plans stays
   * responsible for them.
   */
  planAsker(here: PlanAsker | AskPlan | undefined): PlanAsker {
    const own = here === undefined ? null : typeof here === 'function' ? here : here.ask;
    return {
      isThere: () => own !== null || this.questions.isThere(),
      ask: (question, signal) => {
        if (this.#opening === null) this.#open();
        return this.questions.askPlan(this.#run, own)(question, signal);
      },
    };
  }

  observe(event: RunEvent): void {
    if (event.type === 'record') this.questions.observe(event.record, event.state);
    if (this.#opening === null && isDue(event)) this.#open();
    this.#narrator.emit(event);
    // The messages with which a conversation begins are not reported; each ends with a record of two events.
    if (event.type === 'begun' && event.state.seq > this.#last.seq)
      this.#last = { seq: event.state.seq, at: 1 };
  }

  /** Listens without waiting for a request. */
  async listen(): Promise<void> {
    this.#open(0);
    await this.#opening;
  }

  /** Reports what no event of the work says. */
  tell(body: StreamBody): void {
    this.#tell(inEnvelope({ body }, this.#run));
  }

  /** @param result of a run that has ended or pauses */
  async close(result: ResultBody | null): Promise<void> {
    if (result !== null) this.#narrator.end(result);
    this.#stop.abort();
    await (await this.#opening)?.close();
  }

  #tell(event: StreamEvent): void {
    if (event.type === 'started') this.#started = event;
    this.#run = event.run ?? this.#run;
    if (this.#channel !== null) this.#channel.owner?.emit(event);
    else if (this.#opening !== null) this.#waiting.push(event);
    else if (event.seq !== undefined) {
      const { seq, at } = this.#last;
      this.#last = { seq: event.seq, at: event.seq === seq ? at + 1 : 0 };
    }
  }

  #open(waitMs = BEHIND_REQUEST_MS): void {
    this.#opening ??= this.#opened(waitMs).then((channel) => {
      this.#channel = channel;
      for (const event of this.#waiting.splice(0)) channel.owner?.emit(event);
      return channel;
    });
  }

  async #opened(waitMs: number): Promise<LiveChannel> {
    const { place, originKey, workspace, clock, hooks } = this.#parts;
    const { signal } = this.#stop;
    const { seq, at } = this.#last;
    try {
      await clock.sleep(waitMs, signal);
      const { openChannelFor } = await raced(import('../../live/open.ts'), signal, () => {
        throw signal.reason;
      });
      return await openChannelFor({
        place,
        originKey,
        clock,
        questions: this.questions,
        run: this.#run,
        last: `${seq}.${at}`,
        workspace: place.fs.realpath(workspace),
        since: clock.now(),
        started: () => this.#started,
        say: (text) => hooks.send(text),
        pause: () => hooks.pause(),
        command: hooks.command,
        close: hooks.close,
      });
    } catch {
      // Invariant 2.
      return NO_CHANNEL;
    }
  }
}

const NO_CHANNEL: LiveChannel = { owner: null, close: async () => {} };

const functionOf = (ask: NonNullable<RunGoalOptions['ask']>) =>
  typeof ask === 'function' ? ask : ask.ask;

const isDue = (event: RunEvent): boolean =>
  event.type === 'turn_started' ||
  (event.type === 'record' && event.record.type === 'approval_asked');

const NOT_TAKEN: { readonly [Why in Exclude<LineTaken, 'kept'>]: string } = {
  empty: 'The message is empty.',
  too_long: 'The message is too long for the model; put it into a file and name the file.',
  too_many: 'Too many messages wait for the model.',
  failed: 'The run takes no more messages.',
};

const NOT_YET: Done = { how: 'refused', why: 'The run does not take messages yet.' };
const TAKEN: Done = { how: 'taken' };

/** The same run, open to watchers. `close` ends that; @param result if there is one */
export function liveRun<Request extends Omit<RunGoalOptions, 'provider' | 'model'>>(
  request: Request,
  parts: Pick<LiveParts, 'place' | 'originKey' | 'clock'>,
) {
  const stop = new AbortController();
  let take: Parameters<Inbox['listen']>[0] | null = null;
  const { workspace, goal, ask } = request;
  const live = new LiveWork({
    ...parts,
    workspace,
    goal,
    ...(ask === undefined ? {} : { ask }),
    hooks: {
      send: (text) => {
        const taken = take?.(text);
        if (taken === undefined) return NOT_YET;
        return taken === 'kept' ? TAKEN : { how: 'refused', why: NOT_TAKEN[taken] };
      },
      pause: () => {
        stop.abort(PAUSED);
        return TAKEN;
      },
    },
  });
  const inbox: Inbox = {
    listen: (own) => {
      take = own;
      const end = request.inbox?.listen(own);
      return () => {
        take = null;
        end?.();
      };
    },
  };
  const { signal = new AbortController().signal } = request;
  return {
    live,
    request: {
      ...request,
      inbox,
      signal: AbortSignal.any([signal, stop.signal]),
      ...(request.canUseTool === undefined ? { ask: live.asker } : {}),
      askPlan: live.planAsker(request.askPlan),
      emit: (event: RunEvent): void => {
        live.observe(event);
        request.emit?.(event);
      },
    },
  };
}

/** The reason of a pause from elsewhere; its message becomes the detail of the pause. */
const PAUSED = Object.assign(new Error('asked for from elsewhere'), { name: 'Interruption' });

const ONLY_WATCHED: Done = {
  how: 'refused',
  why: 'Whoever holds this conversation takes nothing from elsewhere.',
};

const NO_HOOKS: LiveHooks = { send: () => ONLY_WATCHED, pause: () => ONLY_WATCHED };

/** The same for a conversation, until its session is closed. */
export async function openLive(
  request: SessionOptions,
  parts: Pick<LiveParts, 'place' | 'originKey' | 'clock'> & {
    readonly hooks?: LiveHooks | undefined;
  },
  open: (options: SessionOptions) => Promise<Session>,
): Promise<Session> {
  const { hooks = NO_HOOKS } = parts;
  const { workspace, ask } = request;
  const live = new LiveWork({ ...parts, hooks, workspace, goal: null, ...defined({ ask }) });
  try {
    const session = await open(watchedBy(live, request));
    session.whenClosed(() => live.close(null));
    return session;
  } catch (error) {
    await live.close(null);
    throw error;
  }
}

/** Sends the events and questions of the session to the channel. */
export const watchedBy = (live: LiveWork, request: SessionOptions): SessionOptions => ({
  ...request,
  ...(request.canUseTool === undefined ? { ask: live.asker } : {}),
  onEvent: (event) => {
    live.observe(event);
    request.onEvent?.(event);
  },
});
