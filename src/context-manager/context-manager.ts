/**
 * The one object that holds a run or a conversation: its journal and the state folded from it.
 *
 * Owns the open journal and the folded state. Does not own the lock, the workspace or the model.
 * 1. Nothing changes the state but a record, and a record is written before it does.
 * 2. The state is always the fold of the journal.
 * 3. Before an effect and before a wait stands a barrier; observers hear of a record behind it.
 * 4. Snapshots, traces and logs are derived: their failure is a warning, never the run's.
 */

import type { Journal } from '../journal/journal.ts';
import type { OpenedJournal } from '../journal/recover.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { NO_KEYS, type Redactor } from '../llm/secrets/redactor.ts';
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
import { View } from './view.ts';

type ActionRecord = 'action_intended' | 'action_started' | 'action_finished';

/** What `loadOrInit` opened or began. */
export interface Loaded {
  readonly context: ContextManager;
  /** False for a run that has only just begun. */
  readonly isResumed: boolean;
  /** A torn last line that was cut off, and where its bytes are now. */
  readonly quarantined: OpenedJournal<RunState, JournalRecord>['quarantined'];
}

export class ContextManager {
  readonly #ports: ContextPorts;
  readonly #journal: Journal<JournalRecord>;
  readonly #trace: Trace;
  readonly #redactor: Redactor;
  readonly #texts = new Map<number, Message>();
  /** The last one, until it is told: its words are those of a message. */
  #outcome: Located<RecordOf<'action_finished'>> | null = null;
  readonly #outbox: Outbox;
  readonly #messageOf: MessageOf;
  readonly #view: View;
  readonly #copies: BeforeImageCopies | null;
  #state: RunState;

  constructor(opened: OpenedJournal<RunState, JournalRecord>, ports: ContextPorts) {
    this.#ports = ports;
    this.#journal = opened.journal;
    this.#state = opened.state;
    this.#trace = ports.hasTrace === false ? NO_TRACE : createTrace(ports);
    this.#messageOf = ports.messageOf ?? messageOf;
    this.#redactor = ports.redactor ?? NO_KEYS;
    this.#outbox = new Outbox(ports.emit);
    this.#copies = ports.beforeImageCopies?.(opened, (text) => this.#warn(text)) ?? null;
    this.#view = new View({
      ...{ ...ports, journal: opened.journal },
      warn: (text) => this.#warn(text),
    });
  }

  /**
   * Goes on with the run that is selected, or begins one; the caller holds the folder's lock.
   * Throws E_USAGE where there is nothing to go on with, and what opening a journal throws.
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
   * Writes one record and folds it in; the next barrier makes it durable and tells the observer.
   * That a program started is no outcome and is told at once. Errors as `Journal.append`.
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
   * The barrier: every record so far, with every blob it names, is durable when this returns, and
   * observers know of it. Errors as `Journal.sync`, and before a request `Journal.needReserve`.
   */
  sync(before: Barrier): void {
    if (before === 'request') this.#journal.needReserve();
    this.#copies?.sync();
    this.#journal.sync();
    this.#view.show(this.#state);
    this.#outbox.release();
  }

  /** To be called now and then while the run waits. */
  showLate(): void {
    if (this.#journal.isDurable) this.#view.showLate(this.#state);
  }

  /** The barrier before this start ends, or a message does. @param synced the snapshot is synced itself */
  settle(synced = true): void {
    this.sync('end');
    this.#view.settle(this.#state, synced);
  }

  /** Emits an event to the observer, in its place among the records. */
  emit(event: RunEvent): void {
    this.#outbox.emit(event);
  }

  /** Emits the first record to the observer, which came into being with the journal itself. */
  emitOpening(): void {
    const record = { ...this.#journal.readAt(0), offset: 0 };
    this.#trace.record(record, this.#state);
    this.#ports.emit({ type: 'record', record, state: this.#state });
  }

  /** Writes one part of an action: its intent, its start or its outcome. */
  recordAction(part: RecordOf<ActionRecord>): void {
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

  /** The live conversation with the system prompt, as the model reads it next. */
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

  /** A record of this run, its spilled strings in place. */
  readAny(offset: number): JournalRecord {
    return this.#readBack(this.#journal.readAt(offset));
  }

  /** The record whose words a live message is: an older one may hold what is a key by now. */
  recordOf({ offset }: Pick<MessageRef, 'offset'>): JournalRecord {
    return redactedRecord(this.readAny(offset), this.#redactor);
  }

  /** The same where the type is known. */
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

  /** Lets messages say less where they stand; a result stays the result of its call. */
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

  /** The whole text of a result that was cut for the model; the hash of its blob. */
  keepText(text: string): string {
    return this.#journal.blobs.keep(Buffer.from(this.#redactor.text(text)));
  }

  /** True for a text that a record would not hold as it is, since a key in use is in it. */
  hides(text: string): boolean {
    return this.#redactor.text(text) !== text;
  }

  /** Keeps the stack of an internal error in `agent.log`. */
  logError(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#trace.internalError(this.#ports.clock.now(), this.#redactor.text(text));
  }

  /** What is left is made durable and told if it can be; the reason of the end is told elsewhere. */
  close(): void {
    try {
      this.sync('end');
    } catch {
      // The journal says at the next start what the disk holds.
    }
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

  /** What was just said need not be read back from the disk for the next request. */
  #rememberMessage(record: Located): void {
    if (record.type === 'action_finished') this.#outcome = record;
    const said = this.#wordsOf(record);
    if (said === null) return;
    const role = record.type === 'message_added' ? record.role : 'assistant';
    const { seq } = record;
    this.#texts.set(seq, this.#messageOf(this.#readBack(said), { seq, role }));
  }

  /** The record whose words a new message is; `null` where that is no message, or one of long ago. */
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
