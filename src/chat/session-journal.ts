/**
 * The one object that holds a conversation: its journal and the state folded from it.
 *
 * Owns the open journal and the folded state. Does not own the lock, the workspace or the model.
 * 1. Nothing changes the state but a record, and a record is written before it does.
 * 2. Before an effect and before a wait stands a barrier; observers hear of a record behind it.
 * 3. The snapshot is derived: that it cannot be written is a warning.
 */
import type { Origin } from '../context-manager/origin.ts';
import { Outbox } from '../context-manager/outbox.ts';
import { redactedRecord } from '../context-manager/redacted-record.ts';
import type { Journal } from '../journal/journal.ts';
import type { Layout } from '../journal/layout.ts';
import type { OpenedJournal } from '../journal/recover.ts';
import { writeSnapshot } from '../journal/snapshot.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Redactor } from '../llm/secrets/redactor.ts';
import type { SessionEmit, SessionEvent } from '../schema/chat-events.ts';
import type {
  ChatRecord,
  ChatRecordOf,
  ChatRecordType,
  LocatedChat,
} from '../schema/chat-records.ts';
import type { ChatState } from '../schema/chat-state.ts';
import type { Message } from '../schema/messages.ts';
import type { MessageRef } from '../schema/state.ts';
import type { StoredText } from '../schema/text.ts';
import type { KeptCopies } from '../workspace/kept/copies.ts';
import { signed } from './chat-origin.ts';
import { CHAT_STATE_SCHEMA, reduceChat } from './fold/fold.ts';
import { chatMessageOf, heldMessageOf, withWhatWasSaid, wordsOf } from './message-text.ts';

export interface SessionPorts {
  /** Of the journal; the workspace may lie in another. */
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly emit: SessionEmit;
  readonly redactor: Redactor;
  readonly origin: Origin;
  /** Keeps what files held before outside of the workspace, too; left out: nothing does. */
  readonly keptCopies?: ((warn: (text: string) => void) => KeptCopies | null) | undefined;
}

/** A message as it is read again and again. */
interface Spoken {
  readonly message: Message;
  /** For a model whose answers are held to a schema. */
  readonly held: Message;
  readonly words: string;
  /** Of a result. */
  readonly hasFailed: boolean;
}

export class SessionJournal {
  readonly #ports: SessionPorts;
  readonly #journal: Journal<ChatRecord>;
  readonly #outbox: Outbox<SessionEvent>;
  readonly #texts = new Map<number, Spoken>();
  readonly #copies: KeptCopies | null;
  #state: ChatState;
  #isWarned = false;

  constructor(opened: OpenedJournal<ChatState, ChatRecord>, ports: SessionPorts) {
    this.#ports = ports;
    this.#journal = opened.journal;
    this.#state = opened.state;
    this.#outbox = new Outbox(ports.emit);
    const warn = (text: string): void => this.tell({ type: 'notice', level: 'warning', text });
    this.#copies = ports.keptCopies?.(warn) ?? null;
  }

  get state(): ChatState {
    return this.#state;
  }

  get journal(): Journal<ChatRecord> {
    return this.#journal;
  }

  /** Of a journal that has only just begun: its first record was there before anybody could be told. */
  tellFirst(): void {
    const record = { ...this.#journal.readAt(0), offset: 0 };
    this.tell({ type: 'record', record, state: this.#state });
  }

  /** Writes one record and folds it in; the next barrier makes it durable and tells the observer. */
  record<R extends ChatRecord>(record: R): LocatedChat<R> {
    const { redactor, origin } = this.#ports;
    const hidden = signed(redactedRecord(record, redactor), this.#state.session, origin);
    this.#copies?.take(hidden);
    const located: LocatedChat = this.#journal.append(hidden);
    this.#state = reduceChat(this.#state, located);
    if (record.type === 'shortened') this.#texts.clear();
    const event = { type: 'record', record: located, state: this.#state, whole: hidden } as const;
    if (record.type === 'action_started') this.#outbox.tell(event);
    else this.#outbox.hold(event);
    if (record.type === 'approval_asked') this.sync();
    return located as LocatedChat<R>;
  }

  /** The barrier. Errors as `Journal.sync`. */
  sync(): void {
    this.#copies?.sync();
    this.#journal.sync();
    this.#outbox.release();
  }

  /** The barrier at the end of a message, with a snapshot for the next start: synced at the end of all. */
  settle(synced = false): void {
    this.sync();
    const { fs, layout } = this.#ports;
    const position = this.#journal.position();
    const snapshot = { ...position, schema: CHAT_STATE_SCHEMA, synced, state: this.#state };
    const written = writeSnapshot(fs, layout, snapshot);
    if (written.ok || this.#isWarned) return;
    this.#isWarned = true;
    this.tell({ type: 'notice', level: 'warning', text: written.warning });
  }

  tell(event: SessionEvent): void {
    this.#outbox.tell(event);
  }

  /** The conversation as the model reads it next, without the system prompt. */
  messages(refs: readonly MessageRef[] = this.#state.conversation): readonly Message[] {
    return refs.map((ref) => this.#spoken(ref).message);
  }

  /** The same for a model whose answers are held to a schema. */
  heldMessages(): readonly Message[] {
    let said = '';
    return this.#state.conversation.map((ref) => {
      const { held, hasFailed } = this.#spoken(ref);
      if (ref.cause === 'person') said = held.content;
      return ref.cause === 'tool_result' ? withWhatWasSaid(held, said, hasFailed) : held;
    });
  }

  /** The message that is worked on, or was last; '' where it is told in a summary. */
  saidLast(): string {
    const ref = this.#state.conversation.findLast(({ cause }) => cause === 'person');
    return ref === undefined ? '' : this.#spoken(ref).words;
  }

  /** What a reply says to the person. */
  wordsAt(ref: MessageRef): string {
    return this.#spoken(ref).words;
  }

  /** A stored text, read back when it was spilled. */
  textOf(text: StoredText): string {
    return this.#journal.readBack(text) as string;
  }

  readAny(offset: number): ChatRecord {
    return this.#journal.readBack(this.#journal.readAt(offset)) as ChatRecord;
  }

  read<Type extends ChatRecordType>(offset: number, type: Type): ChatRecordOf<Type> {
    const record = this.readAny(offset);
    if (record.type !== type) throw new Error(`no ${type} record at ${offset}`);
    return record as ChatRecordOf<Type>;
  }

  /** The whole text of a result that was cut for the model; the hash of its blob. */
  keepText(text: string): string {
    return this.#journal.blobs.keep(Buffer.from(this.#ports.redactor.text(text)));
  }

  /** What is left is made durable if it can be; then the journal is closed. */
  close(): void {
    try {
      this.settle(true);
    } catch {
      // The journal says at the next start what the disk holds.
    }
    this.#copies?.close();
    this.#journal.close();
  }

  #spoken(ref: MessageRef): Spoken {
    const known = this.#texts.get(ref.seq);
    if (known) return known;
    const { redactor } = this.#ports;
    // An older record may hold what is a key by now.
    const stored = this.#journal.readBack(this.#journal.readAt(ref.offset)) as ChatRecord;
    const record = redactedRecord(stored, redactor);
    const message = chatMessageOf(record, ref);
    const words = record.type === 'turn_finished' ? wordsOf(record) : message.content;
    const hasFailed = record.type === 'action_finished' && record.status !== 'ok';
    const spoken = { message, held: heldMessageOf(record, message), words, hasFailed };
    this.#texts.set(ref.seq, spoken);
    return spoken;
  }
}
