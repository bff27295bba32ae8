/**
 * Holds a run or a conversation: its journal and the state folded from it.
 * Owns the open journal and the folded state. Does not own the lock, the workspace or the model.
 * 1. Only records change the state, and a record is written before it does.
 * 2. The state is always the fold of the journal.
 * 3. A barrier precedes every effect and every wait; observers receive a record only after the barrier.
 * 4. Snapshots, traces and logs are derived: if they fail, that is a warning and never fails the run.
 */

import type { Journal } from '../journal/journal.ts';
import type { OpenedJournal } from '../journal/recover.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { orNull } from '../lib/or-null.ts';
import { NO_SECRETS, type Redactor } from '../llm/secrets/redactor.ts';
import type { RunEvent } from '../schema/events/events.ts';
import type { Message } from '../schema/model/messages.ts';
import type { JournalRecord, Located, RecordOf } from '../schema/records.ts';
import type { MessageRef, RunState } from '../schema/state.ts';
import type { StoredText } from '../schema/text.ts';
import type { BeforeImageCopies } from '../workspace/before-images/copies.ts';
import type { Barrier, ContextPorts, MessageOf } from './context-ports.ts';
import { reduce } from './fold/fold.ts';
import { messageOf } from './message-of.ts';
import { openOrCreate, type RunSelection } from './open-or-create.ts';
import { UNCHECKED } from './origin.ts';
import { Outbox } from './outbox.ts';
import { redactedRecord } from './redacted-record.ts';
import { createTrace, NO_TRACE, type Trace } from './trace.ts';
import { StateView } from './view.ts';

/** The run that `loadOrInit` opened or began. */
export interface Loaded {
  readonly context: ContextManager;
  /** False for a run that has just begun. */
  readonly isResumed: boolean;
  /** A torn last line that was cut off, and the file that now holds its bytes. */
  readonly quarantined: OpenedJournal<RunState, JournalRecord>['quarantined'];
}

export class ContextManager {
  readonly #ports: ContextPorts;
  readonly #journal: Journal<JournalRecord>;
  readonly #trace: Trace;
  readonly #redactor: Redactor;
  readonly #texts = new Map<number, Message>();
  /** The latest outcome until it is reported: its text becomes a message. */
  #outcome: Located<RecordOf<'action_finished'>> | null = null;
  readonly #outbox: Outbox;
  readonly #messageOf: MessageOf;
  readonly #view: StateView;
  readonly #copies: BeforeImageCopies | null;
  #state: RunState;

  constructor(opened: OpenedJournal<RunState, JournalRecord>, ports: ContextPorts) {
    this.#ports = ports;
    this.#journal = opened.journal;
    this.#state = opened.state;
    this.#trace = ports.hasTrace === false ? NO_TRACE : createTrace(ports);
    this.#messageOf = ports.messageOf ?? messageOf;
    this.#redactor = ports.redactor ?? NO_SECRETS;
    this.#outbox = new Outbox(ports.emit);
    this.#copies = ports.beforeImageCopies?.(opened, (text) => this.#warn(text)) ?? null;
    this.#view = new StateView({
      ...ports,
      journal: opened.journal,
      warn: (text) => this.#warn(text),
    });
  }

  /**
   * Continues the selected run or begins one; the caller holds the folder's lock. Throws E_USAGE when there is
   * nothing to continue, and whatever opening a journal throws.
   */
  static *loadOrInit(ports: ContextPorts, request: RunSelection): Interruptible<Loaded> {
    const { opened, isResumed } = yield* openOrCreate(ports, request);
    const { quarantined } = opened;
    return { context: new ContextManager(opened, ports), isResumed, quarantined };
  }

  get state(): RunState {
    return this.#state;
  }

  get journal(): Journal<JournalRecord> {
    return this.#journal;
  }

  /**
   * Writes one record and folds it in. The next barrier makes it durable and passes it to the observer. A
   * program's start is not an outcome and is reported at once. Throws what `Journal.append` throws.
   */
  record<R extends JournalRecord>(record: R): Located<R> {
    const { origin = UNCHECKED } = this.#ports;
    const hidden = redactedRecord(record, this.#redactor);
    this.#copies?.take(hidden);
    const located = this.#journal.append(origin.sign(hidden, this.#journal.run));
    const { pending } = this.#state;
    this.#state = reduce(this.#state, located);
    this.#rememberMessage(located);
    this.#trace.record(located, this.#state, pending?.calls[pending.next]);
    const event = { type: 'record', record: located, state: this.#state, whole: hidden } as const;
    if (record.type === 'action_started') this.#outbox.emit(event);
    else this.#outbox.hold(event);
    if (record.type === 'approval_asked') this.sync('question');
    return located as Located<R>;
  }

  /**
   * The barrier: on return, every record so far and every blob it names is durable, and observers have been
   * told. Throws what `Journal.sync` throws and, before a request, what `Journal.needReserve` throws.
   */
  sync(before: Barrier): void {
    if (before === 'request') this.#journal.needReserve();
    this.#copies?.sync();
    this.#journal.sync();
    this.#view.show(this.#state);
    this.#outbox.release();
  }

  /** Call this from time to time while the run waits. */
  showLate(): void {
    if (this.#journal.isDurable) this.#view.showLate(this.#state);
  }

  /** The barrier at the end of this start or of a message. @param synced whether the snapshot itself is synced */
  settle(synced = true): void {
    this.sync('end');
    this.#view.settle(this.#state, synced);
  }

  /** Emits an event to the observer, in order with the records. */
  emit(event: RunEvent): void {
    this.#outbox.emit(event);
  }

  /** Emits the first record, which was written together with the journal itself. */
  emitOpening(): void {
    const record = { ...this.#journal.readAt(0), offset: 0 };
    this.#trace.record(record, this.#state);
    this.#ports.emit({ type: 'record', record, state: this.#state });
  }

  /** Writes one part of an action: its intent, its start or its outcome. */
  recordAction(part: RecordOf<'action_intended' | 'action_started' | 'action_finished'>): void {
    this.record(part);
  }

  /** Begins a subtask of the plan. */
  advance(subtask: string): void {
    this.record({ type: 'subtask_started', subtask });
  }

  /** Ends the active subtask; the next barrier shows it in `state.json`. */
  markSubtaskComplete(finished: Omit<RecordOf<'subtask_finished'>, 'type'>): void {
    this.record({ type: 'subtask_finished', ...finished });
    this.#view.due();
  }

  /** The current conversation with the system prompt, as the model reads it next. */
  messages(): readonly Message[] {
    const system = this.#state.settings?.systemPrompt ?? '';
    const prompt = this.#journal.readBack(system) as string;
    return [{ role: 'system', content: prompt }, ...this.messagesOf(this.#state.conversation)];
  }

  /** Messages as the model reads them, without the system prompt. */
  messagesOf(refs: readonly MessageRef[]): readonly Message[] {
    return refs.map((ref) => this.#message(ref));
  }

  /** A stored text, read back when it was spilled. */
  textOf(text: StoredText): string {
    return this.#journal.readBack(text) as string;
  }

  /** A record of this run, with its spilled strings restored. */
  readAny(offset: number): JournalRecord {
    return this.#readBack(this.#journal.readAt(offset));
  }

  /**
   * The record that contains a live message's text. An old record may contain a text that is a secret now.
   */
  recordOf({ offset }: Pick<MessageRef, 'offset'>): JournalRecord {
    return redactedRecord(this.readAny(offset), this.#redactor);
  }

  /** The same for a known type. */
  read<Type extends JournalRecord['type']>(offset: number, type: Type): RecordOf<Type> {
    const record = this.readAny(offset);
    if (record.type !== type) throw new Error(`no ${type} record at ${offset}`);
    return record as RecordOf<Type>;
  }

  compactContext(fromSeq: number, toSeq: number, text: string): void {
    this.record({ type: 'compaction_started', fromSeq, toSeq, method: 'drop' });
    this.record({ type: 'compacted', fromSeq, toSeq, text });
    this.#texts.clear();
  }

  /** Shortens messages in place; a result stays the result of its call. */
  cutMessages(cuts: readonly { readonly seq: number; readonly text: string }[]): void {
    const [first, last] = [cuts.at(0), cuts.at(-1)];
    if (!first || !last) return;
    const seqs = { fromSeq: first.seq, toSeq: last.seq };
    const cut = cuts.map(({ seq, text }) => ({ seq, text, ...this.#callOf(seq) }));
    this.record({ type: 'compaction_started', ...seqs, method: 'cut' });
    this.record({ type: 'compacted', ...seqs, text: '', cut });
    this.#texts.clear();
  }

  messageAt(seq: number): Message {
    const ref = this.#state.conversation.find((one) => one.seq === seq);
    if (!ref) throw new Error(`There is no live message ${seq}.`);
    return this.#message(ref);
  }

  /** Stores the full text of a result that was shortened for the model. @returns the hash of its blob */
  keepText(text: string): string {
    return this.#journal.blobs.keep(Buffer.from(this.#redactor.text(text)));
  }

  /** True for a text that a record would change, because it contains a secret in use. */
  hides(text: string): boolean {
    return this.#redactor.text(text) !== text;
  }

  /** Keeps the stack of an internal error in `agent.log`. */
  logError(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#trace.internalError(this.#ports.clock.now(), this.#redactor.text(text));
  }

  /** Makes the rest durable and reports it if possible; the reason for closing is reported elsewhere. */
  close(): void {
    // The next start learns from the journal what the disk holds.
    orNull(() => this.sync('end'));
    this.#copies?.close();
    this.#trace.close();
    this.#journal.close();
  }

  #readBack(stored: JournalRecord): JournalRecord {
    return this.#journal.readBack(stored) as JournalRecord;
  }

  #warn(text: string): void {
    this.emit({ type: 'notice', level: 'warning', text });
  }

  #callOf(seq: number): { readonly toolCallId?: string; readonly toolName?: string } {
    const message = this.messageAt(seq);
    if (message.role !== 'tool') return {};
    return { toolCallId: message.toolCallId, toolName: message.toolName };
  }

  /** Keeps the latest message in memory, so that the next request need not read it back from disk. */
  #rememberMessage(record: Located): void {
    if (record.type === 'action_finished') this.#outcome = record;
    const said = this.#wordsOf(record);
    if (said === null) return;
    const role = record.type === 'message_added' ? record.role : 'assistant';
    const { seq } = record;
    this.#texts.set(seq, this.#messageOf(this.#readBack(said), { seq, role }));
  }

  /** The record that contains a new message's text; `null` if the record is no message, or its text is an old one. */
  #wordsOf(record: Located): Located | null {
    if (record.type === 'turn_finished') return record.status.kind === 'success' ? record : null;
    if (record.type !== 'message_added') return null;
    if (record.text !== undefined) return record;
    return this.#outcome?.seq === record.resultOf ? this.#outcome : null;
  }

  #message(ref: MessageRef): Message {
    const known = this.#texts.get(ref.seq);
    if (known) return known;
    const message = this.#messageOf(this.recordOf(ref), ref);
    this.#texts.set(ref.seq, message);
    return message;
  }
}
