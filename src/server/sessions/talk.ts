/**
 * One conversation as this server knows it; a process of its own holds it.
 *
 * 1. One client holds its stream; the next holder does not get the same events again. Other clients watch beside it.
 * 2. A message to the conversation goes to the process that holds it; if there is none, one is started first.
 */

import { defined } from '../../lib/defined.ts';
import type { Done } from '../../live/protocol.ts';
import type { OutgoingMessage } from '../../live/watcher.ts';
import type { ConversationState } from '../../schema/state.ts';
import type { Approval } from '../api/run-schemas.ts';
import { busyRefusal, unknownRefusal } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import { approvalAnswer, notDoneError, readApproval, wasAnswered } from '../runs/act.ts';
import type { RunFeed } from '../streams/feed.ts';
import { GIVEN_UP } from './held-talk.ts';
import type { TalkId, TalkProcesses } from './talk-process.ts';

export interface TalkParts {
  readonly clock: ServerPlace['clock'];
  readonly processes: TalkProcesses;
  feed(of: TalkId): RunFeed;
  /** From its journal. */
  state(of: TalkId): ConversationState;
}

const MAX_ASKED = 200;

export class Talk implements TalkId {
  readonly #parts: TalkParts;
  readonly id: string;
  readonly workspace: string;
  #holder: number | null = null;
  /** The id of the last event sent to a holder. */
  delivered: string;
  /** Questions by the names of their calls. */
  readonly #asked = new Map<string, string>();

  /** @param seen the id of the last event that no holder is sent */
  constructor(parts: TalkParts, { id, workspace }: TalkId, seen: string) {
    this.#parts = parts;
    this.id = id;
    this.workspace = workspace;
    this.delivered = seen;
  }

  get feed(): RunFeed {
    return this.#parts.feed(this);
  }

  get isHeld(): boolean {
    return this.#parts.processes.noteOf(this) !== undefined;
  }

  /** Takes the stream. Throws if another client holds it. @returns a function that returns it */
  hold(): () => void {
    if (this.#holder !== null)
      throw busyRefusal(
        `Somebody holds this stream since ${new Date(this.#holder).toISOString()}.`,
        'Watch beside it with observe=1.',
      );
    this.#holder = this.#parts.clock.now();
    return () => {
      this.#holder = null;
    };
  }

  /**
   * Makes a process hold the conversation with this model. Throws if a process that holds it with another
   * model cannot switch now.
   */
  async open(model: string | undefined): Promise<void> {
    const isOpened = await this.#parts.processes.held(this, defined({ model }));
    if (isOpened || model === undefined) return;
    const { settings } = this.#state;
    const names = [settings?.model, `${settings?.provider}/${settings?.model}`];
    if (!names.includes(model)) await this.command(`/model ${model}`);
  }

  /** Resolves with the number of the message. */
  async chat(text: string): Promise<number> {
    const done = await this.#sent({ do: 'say', text });
    return (done.how === 'taken' ? done.message : undefined) ?? this.#state.chat.messages;
  }

  /** The output of a slash command. */
  async command(text: string): Promise<string> {
    const done = await this.#sent({ do: 'command', text });
    return (done.how === 'taken' ? done.said : undefined) ?? '';
  }

  /** Does nothing if there is no work. */
  async cancel(): Promise<void> {
    if (this.isHeld) await this.#send({ do: 'pause' });
  }

  /** Makes the server's process release it. Throws if it is open at a terminal. */
  async close(): Promise<void> {
    if (!this.isHeld) return;
    const done = await this.#send({ do: 'close' });
    if (done.how === 'refused' && this.isHeld) throw busyRefusal(done.why, 'Leave it there.');
    await this.#parts.processes.left(this);
  }

  /** @param name of the question or of its call. Throws if it is not open, or was answered before */
  async answer(name: string, approval: Approval): Promise<object> {
    const { kind, why, input } = { input: undefined, ...readApproval(approval) };
    const { feed } = this;
    if (this.isHeld) await feed.connected();
    for (const { id, callId } of feed.questions.values()) this.#asked.set(callId || id, id);
    for (const old of [...this.#asked.keys()].slice(0, -MAX_ASKED)) this.#asked.delete(old);
    const id = feed.questions.has(name) ? name : (this.#asked.get(name) ?? name);
    if (!feed.questions.has(id)) {
      this.#refuseAnswered(id);
      throw unknownRefusal('such question', 'It may be of another conversation.');
    }
    const request = { do: 'answer', id, kind, why, ...defined({ input }), door: 'page' } as const;
    const done = await this.#send(request);
    // The process may have stopped before it read this answer; the journal holds the one that counted.
    if (done.how === 'refused') this.#refuseAnswered(id);
    return approvalAnswer(done, kind !== 'no');
  }

  #refuseAnswered(id: string): void {
    const before = this.#state.permissions?.answers.find((one) => one.id === id);
    if (before !== undefined) throw wasAnswered(before);
  }

  /** Whether a message is open. */
  get isWorking(): boolean {
    return this.#state.chat.open !== null;
  }

  get #state(): ConversationState {
    return this.#parts.state(this);
  }

  /**
   * Sends a message. If the conversation's process is just releasing it, or has gone, nothing was sent: then
   * it is opened again.
   */
  async #sent(message: OutgoingMessage): Promise<Done> {
    const { processes } = this.#parts;
    for (let tries = 0; ; tries += 1) {
      await processes.held(this);
      const done = await this.#send(message);
      if (done.how === 'refused')
        throw busyRefusal(done.why, 'Wait for its completed event, or cancel it.');
      if (done.how !== 'failed') return done;
      if (done.code !== GIVEN_UP.code || tries > 0) throw notDoneError(done, done.hint);
      await processes.left(this);
    }
  }

  async #send(message: OutgoingMessage): Promise<Done> {
    this.#parts.processes.mustWork(this);
    this.feed.wake();
    const following = await this.feed.connected();
    return (await following?.send(message)) ?? GIVEN_UP;
  }
}
