/**
 * An open conversation: messages go in, answers and events come out.
 *
 * 1. One message is worked on at a time; everything it does is journalled before and after.
 * 2. A message that a crash interrupted is open: `goOn` works on it to its end.
 * 3. Every requested call has a result before a message ends.
 */

import { tokensUsed } from '../context-manager/prompt-size.ts';
import { type ReadRecord, recordsIn } from '../context-manager/read-records.ts';
import { CONVERSATION_FORMAT } from '../context-manager/run-format.ts';
import { ASIDE } from '../drivers/chat/messages.ts';
import { MISSING_RESULT, withEveryResult } from '../drivers/chat/transcript.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import { personSays, seesImages } from '../round/chat/images.ts';
import { runOwnCommand } from '../run/chat/own-command.ts';
import { interrupt, workOnMessage } from '../run/chat/work.ts';
import { redactedEmit } from '../run/redacted-emit.ts';
import type { FileChange } from '../schema/actions.ts';
import { BY_LIBRARY, type Giver } from '../schema/journal/permissions.ts';
import type { AsideAuthor } from '../schema/model/message-cause.ts';
import type { Message } from '../schema/model/messages.ts';
import type { ToolDefinition } from '../schema/model/turn.ts';
import type { ConversationState } from '../schema/state.ts';
import type { FileDifference } from '../undo/differences.ts';
import { changeMade, readingChanges, undoingLast } from '../undo/message.ts';
import type { UndoReport } from '../undo/report.ts';
import { announce, summedUp } from './announce.ts';
import { checkedImages } from './images.ts';
import { checkedMessage, type LiveSession } from './options.ts';
import { allow, type Committed, commit, type Remembered, remember } from './persons-commands.ts';
import {
  type CommandRan,
  type Exchange,
  instructionFiles,
  lastExchanges,
  personMessages,
  ranOf,
  type Sent,
  sentOf,
  undoneText,
} from './sent.ts';
import {
  type AttachOptions,
  type SendOptions,
  type SessionParts,
  sessionBusy,
  sessionClosed,
  worksOnAMessage,
} from './session-parts.ts';

export { worksOnAMessage } from './session-parts.ts';

export class Session {
  readonly #parts: SessionParts;
  #isBusy = false;
  #isClosed = false;
  readonly #atClose: (() => Promise<void>)[] = [];

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get id(): string {
    return this.state.run;
  }

  get state(): ConversationState {
    return this.#parts.live.context.state;
  }

  /** True if a message is unfinished: after a crash, or a start that was stopped. */
  get isOpen(): boolean {
    return this.state.chat.open !== null;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether images sent now reach the model, as far as known. */
  get seesImages(): boolean {
    return seesImages(this.state);
  }

  /** Tokens of the next request, estimated from the last one. */
  get contextTokens(): number {
    return tokensUsed(this.state);
  }

  /** Files of the project with which a new conversation begins. */
  readonly instructionFiles = (): readonly string[] => instructionFiles(this.#parts.live);

  /** The tools that the model may call. */
  get tools(): readonly ToolDefinition[] {
    return this.#parts.live.definitions;
  }

  /**
   * Sends a message and works until the model answers. Endings resolve; it throws E_USAGE for an empty message, for an
   * invalid image, or while another message is worked on, and what journal and disk throw.
   */
  async send(text: string, options: SendOptions & AttachOptions = {}): Promise<Sent> {
    const message = checkedMessage(text);
    const images = checkedImages(options.images ?? []);
    if (this.isOpen) throw sessionBusy('A message of before is still open.');
    return this.#work(options, () => {
      personSays(this.#parts.live, message, images);
    });
  }

  /**
   * Runs a person's command under the same rules and sandbox as others; the model sees it with the next message. A
   * denied command stays denied. Throws as `send` does.
   */
  async runCommand(command: string, options: SendOptions = {}): Promise<CommandRan> {
    const line = checkedMessage(command).trim();
    if (this.isOpen) throw sessionBusy('A message of before is still open.');
    return this.#busyWith(options, async (live) => {
      await runOwnCommand(live, line);
      return ranOf(live);
    });
  }

  /** Works on the open message; `null` if there is none. */
  async goOn(options: SendOptions = {}): Promise<Sent | null> {
    return this.isOpen ? this.finish(options) : null;
  }

  /** Works on the open message, which must exist. */
  finish(options: SendOptions = {}): Promise<Sent> {
    return this.#work(options, () => {});
  }

  /** Ends the open message as it stands; waiting calls get a result that says so. */
  abandon(): void {
    this.#mayChange();
    interrupt(this.#parts.live, MISSING_RESULT, 'the session was interrupted');
  }

  /**
   * The model summarises all but the last exchange, and the summary replaces it. False if there is nothing to
   * summarise; throws E_INTERRUPTED if stopped, E_PROVIDER if the model gave no summary.
   */
  async compact({ signal }: Pick<SendOptions, 'signal'> = {}): Promise<boolean> {
    if (this.isOpen) throw sessionBusy('A message of before is still open.');
    return this.#busyWith({ ...(signal && { signal }) }, summedUp);
  }

  /** Adds something to the conversation without asking for an answer. */
  addAside(text: string, by: AsideAuthor = 'engine'): void {
    this.#mayChange();
    this.#parts.live.context.record({ ...ASIDE, text, by });
    this.#parts.live.context.settle(false);
  }

  /** Journals a person's command to the program itself; the model does not see it. */
  note(command: string, text: string, result: string): void {
    const { context } = this.#parts.live;
    context.record({ type: 'command_used', command, text, result });
    context.sync('effect');
  }

  /** Restores the files that the last message changed; `null` if there is nothing to restore. */
  undo(): UndoReport | null {
    return runSync(this.undoing());
  }

  /** The same in pieces. If it is interrupted, the next message, undo or start completes it first. */
  *undoing(): Interruptible<UndoReport | null> {
    this.#mayChange();
    this.#isBusy = true;
    let report: UndoReport | null;
    try {
      report = yield* undoingLast(this.#parts.undo);
    } finally {
      this.#isBusy = false;
    }
    this.reportPutBack();
    return report;
  }

  /** Tells the model what an undo has restored, even if a crash came in between. */
  reportPutBack(): void {
    const { putBack } = this.state.chat;
    if (putBack.length > 0) this.addAside(undoneText(putBack), 'command');
  }

  /** What the session has changed in files and not restored, as they are now. */
  changes(): Iterable<FileDifference> {
    return runSync(this.readingChanges());
  }

  /** The same; a piece is a page of the journal. */
  readingChanges(): Interruptible<Iterable<FileDifference>> {
    return readingChanges(this.#parts.undo);
  }

  /** What one call changed in a file; `null` if the file has changed again. */
  changeMade(change: FileChange): FileDifference | null {
    return changeMade(this.#parts.undo, change);
  }

  lastExchanges(most: number): readonly Exchange[] {
    return lastExchanges(this.#parts.live, most);
  }

  /** The person's messages, oldest first, as far as the conversation still contains them. */
  personMessages(): readonly string[] {
    return personMessages(this.#parts.live);
  }

  /** Appends a line to the memory of the project. Throws E_USAGE if a rule denies it. */
  remember(text: string): Remembered {
    return remember(this.#parts.live, text);
  }

  /** Commits everything in the folder. Throws E_USAGE if git is missing, or a rule denies it. */
  commit(message: string, signal?: AbortSignal): Promise<Committed> {
    return this.#busyWith({ ...(signal && { signal }) }, (live) => commit(live, message));
  }

  /** Allows what a rule says from now on in this session. Throws E_USAGE for an invalid rule. */
  allow(rule: string, giver: Giver = BY_LIBRARY): string {
    return allow(this.#parts.live, rule, giver);
  }

  /** Reports who works here and what is allowed; every stream of events begins with this. */
  announce(isResumed: boolean): void {
    announce(this.#parts, isResumed);
  }

  /** The records of the journal from the first on, with their long texts. */
  *records(): Generator<ReadRecord, void> {
    const { live, undo } = this.#parts;
    const at = { ...undo.journal, format: CONVERSATION_FORMAT };
    yield* recordsIn(at, (stored) => live.context.journal.readBack(stored));
  }

  /** The conversation as it stands, every call with a result. */
  messages(): readonly Message[] {
    return withEveryResult(this.#parts.live.context.messagesOf(this.state.conversation));
  }

  /** Marks the session as continued in another one, which is open already. */
  putAway(next: string): void {
    this.#mayChange();
    const { context } = this.#parts.live;
    context.record({ type: 'session_cleared', next });
    context.sync('effect');
  }

  /** Closes journal, servers and lock. An open message continues with the next start. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#parts.close();
    for (const close of this.#atClose) await close();
  }

  /** Also closes something else when the session is closed. */
  whenClosed(close: () => Promise<void>): void {
    this.#atClose.push(close);
  }

  #work(options: SendOptions, begin: () => void): Promise<Sent> {
    return this.#busyWith(options, async (live) => {
      begin();
      await workOnMessage(live);
      return sentOf(live);
    });
  }

  async #busyWith<Result>(
    options: SendOptions,
    work: (live: LiveSession) => Promise<Result>,
  ): Promise<Result> {
    if (this.state.chat.undoing !== null) this.undo();
    this.#mayChange();
    this.#isBusy = true;
    const { live, observe, watch } = this.#parts;
    const { signal, onEvent } = options;
    observe(onEvent ? redactedEmit(onEvent, live.request.run.redactor) : null);
    live.signal = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
    try {
      return await work(live);
    } catch (error) {
      throw watch.reasonFor(error);
    } finally {
      this.#isBusy = false;
      observe(null);
    }
  }

  #mayChange(): void {
    if (this.#isClosed) throw sessionClosed();
    if (this.#isBusy) throw worksOnAMessage();
  }
}
