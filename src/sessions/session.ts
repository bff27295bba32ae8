/**
 * An open conversation: messages go in, answers and events come out.
 *
 * 1. One message is worked on at a time; all that it does is journalled before and after.
 * 2. A message that a crash cut off is open: `goOn` works on it to its end.
 * 3. Every call that was asked for has a result before a message ends.
 */

import { tokensUsed } from '../context-manager/prompt-size.ts';
import { type ReadRecord, recordsIn } from '../context-manager/read-records.ts';
import { CONVERSATION_FORMAT } from '../context-manager/run-format.ts';
import { ASIDE } from '../drivers/chat/messages.ts';
import { MISSING_RESULT, withEveryResult } from '../drivers/chat/transcript.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import { personSays, seesImages } from '../round/chat/images.ts';
import { runOwnCommand } from '../run/chat/own-command.ts';
import { interrupt, workOn } from '../run/chat/work.ts';
import { redactedEmit } from '../run/redacted-emit.ts';
import type { FileChange } from '../schema/actions.ts';
import { BY_LIBRARY, type Giver } from '../schema/journal/permissions.ts';
import type { AsideAuthor } from '../schema/model/message-cause.ts';
import type { Message } from '../schema/model/messages.ts';
import type { ToolDefinition } from '../schema/model/turn.ts';
import type { Conversation } from '../schema/state.ts';
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
  busy,
  type SendOptions,
  type SessionParts,
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

  get state(): Conversation {
    return this.#parts.live.context.state;
  }

  /** True where a message is not worked on to its end: a crash, or a start that was stopped. */
  get isOpen(): boolean {
    return this.state.chat.open !== null;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether images that are sent now reach the model, as far as anybody knows. */
  get seesImages(): boolean {
    return seesImages(this.state);
  }

  /** Tokens that the next request takes, as far as the last one tells. */
  get contextTokens(): number {
    return tokensUsed(this.state);
  }

  /** Files of the project that a new conversation begins with. */
  readonly instructionFiles = (): readonly string[] => instructionFiles(this.#parts.live);

  /** What the model may call. */
  get tools(): readonly ToolDefinition[] {
    return this.#parts.live.definitions;
  }

  /**
   * Says something to the model and works until it answers. Endings resolve; it throws E_USAGE for an
   * empty message, for what is no image, or while another one is worked on, and what journal and disk throw.
   */
  async send(text: string, options: SendOptions & AttachOptions = {}): Promise<Sent> {
    const message = checkedMessage(text);
    const images = checkedImages(options.images ?? []);
    if (this.isOpen) throw busy('A message of before is still open.');
    return this.#work(options, () => {
      personSays(this.#parts.live, message, images);
    });
  }

  /**
   * Runs a command of the person's, under the rules and confined as others; the model sees it with the next message.
   * What a rule denies is denied. Throws as `send` does.
   */
  async runCommand(command: string, options: SendOptions = {}): Promise<CommandRan> {
    const line = checkedMessage(command).trim();
    if (this.isOpen) throw busy('A message of before is still open.');
    return this.#busyWith(options, async (live) => {
      await runOwnCommand(live, line);
      return ranOf(live);
    });
  }

  /** Works on the message that is open; `null` where none is. */
  async goOn(options: SendOptions = {}): Promise<Sent | null> {
    return this.isOpen ? this.finish(options) : null;
  }

  /** Works on the message that is open, which is there. */
  finish(options: SendOptions = {}): Promise<Sent> {
    return this.#work(options, () => {});
  }

  /** Ends the message that is open as it stands; calls that wait get a result that says so. */
  abandon(): void {
    this.#mayChange();
    interrupt(this.#parts.live, MISSING_RESULT, 'the session was interrupted');
  }

  /**
   * The model sums up all but the last exchange, which then stands for it. False where there is nothing to
   * sum up; throws E_PROVIDER where the model gave no summary.
   */
  async compact({ signal }: Pick<SendOptions, 'signal'> = {}): Promise<boolean> {
    if (this.isOpen) throw busy('A message of before is still open.');
    return this.#busyWith({ ...(signal && { signal }) }, summedUp);
  }

  /** Something enters the conversation; no answer is asked for. */
  addAside(text: string, by: AsideAuthor = 'engine'): void {
    this.#mayChange();
    this.#parts.live.context.record({ ...ASIDE, text, by });
    this.#parts.live.context.settle(false);
  }

  /** Journals a command of the person to the program itself; the model does not hear of it. */
  note(command: string, text: string, result: string): void {
    const { context } = this.#parts.live;
    context.record({ type: 'command_used', command, text, result });
    context.sync('effect');
  }

  /** Puts back the last message's changes of files; `null` where there is nothing to put back. */
  undo(): UndoReport | null {
    return runSync(this.undoing());
  }

  /** The same in pieces. Left off in between, the next message, undo or start goes on with it first. */
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

  /** The model hears of what an undo has put back, also where a crash came in between. */
  reportPutBack(): void {
    const { putBack } = this.state.chat;
    if (putBack.length > 0) this.addAside(undoneText(putBack), 'command');
  }

  /** What the session has changed in files and not put back, as they are now. */
  changes(): Iterable<FileDifference> {
    return runSync(this.readingChanges());
  }

  /** The same; a piece is a page of the journal. */
  readingChanges(): Interruptible<Iterable<FileDifference>> {
    return readingChanges(this.#parts.undo);
  }

  /** What one call made of a file; `null` where the file stands otherwise by now. */
  changeMade(change: FileChange): FileDifference | null {
    return changeMade(this.#parts.undo, change);
  }

  /** The last of what was said and replied. */
  lastExchanges(most: number): readonly Exchange[] {
    return lastExchanges(this.#parts.live, most);
  }

  /** What the person said, oldest first, as far as it is in the conversation. */
  personMessages(): readonly string[] {
    return personMessages(this.#parts.live);
  }

  /** Appends a line to the memory of the project. Throws E_USAGE where a rule denies it. */
  remember(text: string): Remembered {
    return remember(this.#parts.live, text);
  }

  /** Commits all that is in the folder. Throws E_USAGE where there is no git, or a rule denies it. */
  commit(message: string, signal: AbortSignal = new AbortController().signal): Promise<Committed> {
    this.#mayChange();
    return commit(this.#parts.live, message, signal);
  }

  /** Allows what a rule says from now on in this session. Throws E_USAGE for what is no rule. */
  allow(rule: string, giver: Giver = BY_LIBRARY): string {
    return allow(this.#parts.live, rule, giver);
  }

  /** Tells its observer who works here and what may be done, as every stream of events begins. */
  announce(isResumed: boolean): void {
    announce(this.#parts, isResumed);
  }

  /** What the journal holds, from the first record on, with its long texts. */
  *records(): Generator<ReadRecord, void> {
    const { live, undo } = this.#parts;
    const at = { ...undo.journal, format: CONVERSATION_FORMAT };
    yield* recordsIn(at, (stored) => live.context.journal.readBack(stored));
  }

  /** The conversation as it stands, every call with a result. */
  messages(): readonly Message[] {
    return withEveryResult(this.#parts.live.context.messagesOf(this.state.conversation));
  }

  /** The session goes on in another one, which is open already. */
  putAway(next: string): void {
    this.#mayChange();
    const { context } = this.#parts.live;
    context.record({ type: 'session_cleared', next });
    context.sync('effect');
  }

  /** Closes journal, servers and lock. What is open goes on with the next start. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#parts.close();
    for (const close of this.#atClose) await close();
  }

  /** Closes something else with it. */
  whenClosed(close: () => Promise<void>): void {
    this.#atClose.push(close);
  }

  #work(options: SendOptions, begin: () => void): Promise<Sent> {
    return this.#busyWith(options, async (live) => {
      begin();
      await workOn(live);
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
    if (this.#isClosed) throw busy('The session is closed.');
    if (this.#isBusy) throw worksOnAMessage();
  }
}
