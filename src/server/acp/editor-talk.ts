/**
 * The conversation behind an editor's session. It is opened, and reopened when its model or its servers change.
 *
 * 1. No MCP server that the editor or the project names is used before the person has agreed to it.
 * 2. A change that fails leaves the conversation as it was; where it cannot be opened as it was either, the next prompt
 *    tries again.
 */
import { defined } from '../../lib/defined.ts';
import type { Ask } from '../../round/permission/answer.ts';
import type { SessionEmit } from '../../schema/events/events.ts';
import type { ServerEntries } from '../../schema/servers.ts';
import type { Session } from '../../sessions/session.ts';
import type { OpenTalk } from '../sessions/talk-port.ts';
import { configOptions, type Settable } from './config-options.ts';
import type { AskServer, EditorPlace, NamedServers } from './contract.ts';

interface TalkParts {
  readonly place: EditorPlace;
  readonly at: NamedServers;
  readonly ask: Ask;
  readonly observe: SessionEmit;
  /** Stops the current work on request of another terminal; false: there is none. */
  pause(): boolean;
}

export class EditorTalk {
  readonly #parts: TalkParts;
  readonly #end = new AbortController();
  #talk: OpenTalk | null = null;
  #isClosed = false;
  #entries: ServerEntries = {};
  #waiting = 0;
  #settable: Settable = {};
  /** Models to choose from. */
  models: readonly string[] = [];

  constructor(parts: TalkParts) {
    this.#parts = parts;
  }

  /** Rejects with the error of opening it. @param session its id; `null`: a new one */
  async open(session: string | null): Promise<void> {
    const { place, at, observe } = this.#parts;
    const agreed = await place.servers(at, null, this.#end.signal);
    this.#entries = agreed.entries;
    this.#waiting = agreed.waiting;
    await this.#opened(session, {});
    for (const text of agreed.leftOut) observe({ type: 'notice', level: 'warning', text });
  }

  get session(): Session {
    if (this.#talk === null) throw new Error('The conversation is not open.');
    return this.#talk.session;
  }

  get options() {
    const { settings } = this.session.state;
    const model = settings === null ? '' : this.#parts.place.modelOf(settings);
    return configOptions(model, this.models, this.#settable.effort);
  }

  /**
   * For a prompt. Asks about servers once, at the first: before that no editor knows the conversation. Rejects if the
   * conversation cannot be opened.
   */
  async getReady(ask: AskServer, signal: AbortSignal): Promise<void> {
    if (this.#isClosed) await this.#opened(this.session.id, this.#settable);
    if (this.#waiting === 0) return;
    const { place, at, observe } = this.#parts;
    const agreed = await place.servers(at, ask, signal);
    if (signal.aborted) return;
    this.#waiting = 0;
    const isMore = Object.keys(agreed.entries).length > Object.keys(this.#entries).length;
    this.#entries = agreed.entries;
    if (isMore) await this.change({});
    for (const text of agreed.leftOut) observe({ type: 'notice', level: 'warning', text });
  }

  /** Rejects if the conversation cannot continue with the change; it then continues as before. */
  async change(change: Settable): Promise<void> {
    const { id } = this.session;
    const before = this.#settable;
    await this.#talk?.close();
    this.#isClosed = true;
    try {
      await this.#opened(id, { ...before, ...change });
    } catch (error) {
      await this.#opened(id, before).catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#talk?.close();
  }

  async #opened(session: string | null, settable: Settable): Promise<void> {
    const { place, at, ask, observe, pause } = this.#parts;
    this.#talk = await place.talk.open({
      workspace: at.workspace,
      session,
      servers: this.#entries,
      signal: this.#end.signal,
      ...defined(settable),
      ask,
      onEvent: observe,
      hooks: {
        send: () => ({
          how: 'refused',
          why: 'An editor holds this conversation: messages are sent from there.',
        }),
        pause: () =>
          pause() ? { how: 'taken' } : { how: 'refused', why: 'No message is under way.' },
      },
    });
    this.#isClosed = false;
    this.#settable = settable;
  }
}
