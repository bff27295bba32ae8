/**
 * A conversation that this process holds open for other programs of its user, which reach it over its live channel.
 *
 * 1. One message is worked on at a time. A watcher that leaves ends nothing.
 * 2. A question without an answer counts as a no after an hour.
 * 3. An idle conversation is released after a while: its journal has everything that the next process needs.
 */
import type { ChatHost } from '../../host/chat-host.ts';
import { errorFacts } from '../../host/error-facts.ts';
import type { LiveHooks, LiveWork } from '../../host/live/live-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import type { Done, Failed } from '../../live/protocol.ts';
import type { Ask } from '../../round/permission/answer.ts';
import { errorBody } from '../../run/stream/result-body.ts';
import type { SessionEvent } from '../../schema/events/events.ts';
import type { Session } from '../../sessions/session.ts';
import type { OpenTalk, TalkPort, TalkRequest } from './talk-port.ts';

/** The longest wait for an answer. */
const ANSWER_MS = 60 * 60_000;
export const IDLE_MS = 10 * 60_000;

const TAKEN: Done = { how: 'taken' };
const refused = (why: string): Done => ({ how: 'refused', why });
const BUSY = refused('A message is worked on.');

/** The conversation is no longer held: another process may be started for it. */
export const GIVEN_UP: Failed = {
  how: 'failed',
  code: 'E_GONE',
  message: 'The conversation is being given up.',
  hint: 'Ask again in a moment.',
};

export interface HeldTalkParts {
  readonly port: TalkPort;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly watched: ChatHost['watched'];
}

export type HeldTalkOptions = Omit<TalkRequest, 'ask' | 'hooks' | 'live' | 'onEvent' | 'signal'>;

export class HeldTalk {
  readonly #parts: HeldTalkParts;
  readonly #options: HeldTalkOptions;
  readonly #live: LiveWork;
  readonly #end = new AbortController();
  #talk: OpenTalk | null = null;
  #work: AbortController | null = null;
  /** The message has ended, though its work is not quite over. */
  #hasEnded = false;
  #worked: Promise<unknown> = Promise.resolve();
  #idleSince: number;

  constructor(parts: HeldTalkParts, options: HeldTalkOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#idleSince = parts.clock.monotonic();
    const { workspace } = options;
    this.#live = parts.watched({ workspace, ask: this.#ask, hooks: this.hooks });
  }

  /** Rejects with the error of opening it. */
  async open(): Promise<void> {
    const { session, model } = this.#options;
    this.#talk = await this.#parts.port.open(this.#request(session, model));
    await this.#live.listen();
    if (this.session.isOpen) this.#begin((signal) => this.session.finish({ signal }));
  }

  /** Resolves when the conversation is released. @param signal releases it at once; the current work is stopped */
  async hold(signal: AbortSignal): Promise<void> {
    const { clock, idleMs } = this.#parts;
    const stop = (): void => this.#end.abort();
    signal.addEventListener('abort', stop, { once: true });
    while (!this.#end.signal.aborted && !signal.aborted) {
      const left = this.#idleSince + idleMs - clock.monotonic();
      if (left <= 0 && !this.#isBusy) break;
      const wait = this.#isBusy ? idleMs : left;
      await clock.sleep(wait, this.#end.signal).catch(() => {});
    }
    this.#end.abort();
    this.#work?.abort();
    await this.#worked;
    await this.#talk?.close();
    await this.#live.close(null);
  }

  get session(): Session {
    if (this.#talk === null) throw new Error('The conversation is not open yet.');
    return this.#talk.session;
  }

  /** What other programs of this user may do. */
  readonly hooks: LiveHooks = {
    send: (text) => this.#send(text),
    pause: () => {
      if (this.#work === null) return refused('No message is under way.');
      this.#work.abort();
      return TAKEN;
    },
    command: (line) => this.#command(line),
    close: () => {
      this.#end.abort();
      return TAKEN;
    },
  };

  get #isBusy(): boolean {
    return this.#work !== null && !this.#hasEnded;
  }

  #send(text: string): Done {
    if (this.#end.signal.aborted) return GIVEN_UP;
    if (this.#isBusy) return BUSY;
    if (text.trim() === '') return refused('The message is empty.');
    const message = this.session.state.chat.messages + 1;
    this.#begin((signal) => this.session.send(text, { signal }));
    return { how: 'taken', message };
  }

  /**
   * Begins work after the work before it: a client that hears of a message's end may send the next message,
   * or a command, at once.
   */
  #begin(work: (signal: AbortSignal) => Promise<unknown>): void {
    const stop = new AbortController();
    const before = this.#work === null ? null : this.#worked;
    this.#work = stop;
    this.#hasEnded = false;
    const begun = before === null ? work(stop.signal) : before.then(() => work(stop.signal));
    this.#worked = begun
      .catch((error: unknown) => this.#live.tell(errorBody(errorFacts(error), null)))
      .finally(() => this.#rest(stop));
  }

  #rest(stop: AbortController): void {
    this.#idleSince = this.#parts.clock.monotonic();
    if (this.#work === stop) this.#work = null;
  }

  async #command(line: string): Promise<Done> {
    if (this.#end.signal.aborted) return GIVEN_UP;
    if (this.#isBusy) return BUSY;
    const stop = new AbortController();
    this.#work = stop;
    this.#hasEnded = false;
    const { signal } = stop;
    const switchModel = (model: string) => this.#reopen(model);
    const said = this.#worked.then(() => this.#talk?.command(line, { signal, switchModel }));
    this.#worked = said.catch(() => {});
    try {
      return { how: 'taken', said: (await said) ?? '' };
    } catch (error) {
      const { code, message, hint } = errorFacts(error);
      return { how: 'failed', code, message, hint };
    } finally {
      this.#rest(stop);
    }
  }

  /**
   * Reopens the conversation with another model, or with the former one if that model cannot be opened. If
   * neither can be opened, gives the conversation up.
   */
  async #reopen(model: string): Promise<Session> {
    const { id, state } = this.session;
    const { provider = '', model: before = '' } = state.settings ?? {};
    await this.#talk?.close();
    try {
      this.#talk = await this.#parts.port.open(this.#request(id, model));
    } catch (error) {
      const former = this.#request(id, `${provider}/${before}`);
      this.#talk = await this.#parts.port.open(former).catch(() => null);
      if (this.#talk === null) this.#end.abort();
      throw error;
    }
    return this.session;
  }

  #request(session: string | null, model: string | undefined): TalkRequest {
    return {
      ...this.#options,
      session,
      ...defined({ model }),
      live: this.#live,
      onEvent: (event) => this.#observe(event),
      signal: this.#end.signal,
    };
  }

  #observe(event: SessionEvent): void {
    if (event.type === 'record' && event.record.type === 'message_ended') this.#hasEnded = true;
  }

  readonly #ask: Ask = async (_question, signal) => {
    const isLate = await this.#parts.clock.sleep(ANSWER_MS, signal).then(
      () => true,
      () => false,
    );
    return isLate ? { kind: 'no', why: 'nobody answered within an hour' } : 'none';
  };
}
