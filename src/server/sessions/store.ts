/** The conversations in the folders that this server knows, whoever holds them. */

import type { StoredTalk } from '../../host/work-files.ts';
import { defined } from '../../lib/defined.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { costSince } from '../../run/stream/result-body.ts';
import type { ConversationState } from '../../schema/state.ts';
import { layoutOfSession, readSession, shownSessions } from '../../sessions/places.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import type { Question, UndoAnswer } from '../api/run-schemas.ts';
import type {
  SessionBegun,
  SessionBody,
  SessionDetail,
  SessionResume,
  SessionResumed,
  SessionSummary,
  SessionUndo,
} from '../api/session-schemas.ts';
import { nameForToday, requestIdentity } from '../http/once.ts';
import { ServerRefusal, unknownRefusal } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import type { Catalogue } from '../runs/catalogue.ts';
import { shownQuestion } from '../runs/detail.ts';
import { modelWord } from '../runs/typed.ts';
import type { FeedOf, RunFeed } from '../streams/feed.ts';
import { undoTalk } from '../undo.ts';
import { loggedMessagesIn } from './logged-messages.ts';
import { Talk, type TalkParts } from './talk.ts';
import { type TalkId, TalkProcesses } from './talk-process.ts';

interface Read {
  readonly seen: string;
  readonly state: ConversationState | null;
}

export class TalkStore {
  readonly #place: ServerPlace;
  readonly #catalogue: Catalogue;
  readonly #processes: TalkProcesses;
  readonly #parts: TalkParts;
  readonly #talks = new Map<string, Talk>();
  readonly #read = new Map<string, Read>();

  /** @param changed called when a process of a conversation has gone */
  constructor(
    place: ServerPlace,
    catalogue: Catalogue,
    feed: (of: FeedOf) => RunFeed,
    changed?: (id: string) => void,
  ) {
    this.#place = place;
    this.#catalogue = catalogue;
    this.#processes = new TalkProcesses(place, changed);
    this.#parts = {
      clock: place.clock,
      processes: this.#processes,
      feed: ({ id, workspace }) => feed({ run: id, workspace, isChat: true }),
      state: (of) => this.#stateOf(of),
    };
  }

  /** Throws if there is none. */
  talk(id: string): Talk {
    const known = this.#talks.get(id);
    if (known !== undefined) return known;
    const { workspacePath: workspace } = this.#found(id);
    return this.#known({ id, workspace });
  }

  /** The first holder of this server gets the message in progress, and what follows. */
  #known(of: TalkId): Talk {
    const { chat, seq } = this.#stateOf(of);
    const { journal } = this.#parts.feed(of);
    const seen = journal.lastIdOf(chat.open === null ? seq : chat.open.seq - 1);
    const talk = new Talk(this.#parts, of, seen);
    this.#talks.set(of.id, talk);
    return talk;
  }

  /** @param key the client's name for the request; the conversation gets the same id however often it is requested */
  async create(body: SessionBody, key: string | null): Promise<SessionBegun> {
    const { workspacePath, maxTurns, provider: _, ...rest } = body;
    const workspace = this.#catalogue.add(workspacePath).path;
    const settings = defined({ ...rest, model: modelWord(body), maxIterations: maxTurns });
    const { fs, clock } = this.#place;
    const begun = { now: clock.now(), begun: listedIn(fs, workspace) };
    const id =
      key === null ? this.#newId() : nameForToday(requestIdentity(workspace, key, body), begun);
    return begunOf(await this.#begun({ id, workspace }, settings), this.#stateOf);
  }

  #newId(): string {
    return Buffer.from(this.#place.random(8)).toString('hex');
  }

  async #begun(of: TalkId, options: Partial<StoredTalk>): Promise<Talk> {
    try {
      await this.#processes.held(of, options);
    } catch (error) {
      this.#processes.forget(of.id);
      throw error;
    }
    return this.#known(of);
  }

  /**
   * Resumes from the journal, even of a conversation new to this server; the log of another program begins a new one.
   */
  async resume(id: string, body: SessionResume): Promise<SessionResumed> {
    const workspace = this.#catalogue.add(body.workspacePath).path;
    if (body.logFile !== undefined) return this.#imported(workspace, body.logFile, body);
    const found = this.#found(id);
    if (found.workspacePath !== workspace)
      throw new ServerRefusal(
        'E_OUTSIDE',
        'That conversation belongs to another folder.',
        'Name the folder of the conversation.',
      );
    const talk = this.talk(id);
    const isOpen = this.#stateOf(talk).chat.open !== null;
    await talk.open(modelWord(body));
    return { ...begunOf(talk, this.#stateOf), ...this.#resumed(talk, isOpen) };
  }

  /** Calls, answers, addresses and models in the log grant nothing: only its text is imported. */
  async #imported(workspace: string, file: string, body: SessionResume): Promise<SessionResumed> {
    const messages = [...loggedMessagesIn(this.#place.fs, this.#catalogue.file(file))];
    const options = { messages, ...defined({ model: modelWord(body) }) };
    const talk = await this.#begun({ id: this.#newId(), workspace }, options);
    return { ...begunOf(talk, this.#stateOf), ...this.#resumed(talk, false) };
  }

  #resumed(talk: Talk, isOpen: boolean): Omit<SessionResumed, keyof SessionBegun> {
    const { messages } = this.#stateOf(talk).chat;
    return { messages, isOpen, pendingApprovals: [...this.questionsOf(talk)] };
  }

  list(): readonly SessionSummary[] {
    const held = new Set(this.#place.live.all().map(({ run }) => run));
    return this.#catalogue
      .folders()
      .flatMap((workspace) =>
        listedIn(this.#place.fs, workspace).map(({ id, number, name, lastAt }) => {
          const state = held.has(id) ? this.#heldState({ id, workspace }) : ('closed' as const);
          return { id, number, name, workspacePath: workspace, state, lastAt };
        }),
      )
      .toSorted((one, other) => other.lastAt - one.lastAt);
  }

  #heldState(of: TalkId): SessionSummary['state'] {
    try {
      if (this.#stateOf(of).chat.open === null) return 'idle';
      return this.questionsOf(of).length > 0 ? 'waiting' : 'working';
    } catch {
      // The conversation is just beginning, or is unreadable at this moment.
      return 'working';
    }
  }

  /** Questions open at this moment; from now on the feed follows the process that holds the conversation. */
  questionsOf(of: TalkId): readonly Question[] {
    const feed = this.#parts.feed(of);
    feed.touch();
    return [...feed.questions.values()].map(shownQuestion);
  }

  detail(id: string): SessionDetail {
    const summary = this.#found(id);
    const of = { id, workspace: summary.workspacePath };
    const { settings, chat, usage, seq } = this.#stateOf(of);
    return {
      ...summary,
      model: modelIn(settings),
      messages: chat.messages,
      isOpen: chat.open !== null,
      pendingApprovals: summary.state === 'closed' ? [] : [...this.questionsOf(of)],
      commands: [...this.#place.commands],
      lastEventId: this.#parts.feed(of).journal.lastIdOf(seq),
      usage: usage.total,
      ...costSince(undefined, usage.cost),
    };
  }

  transcript(id: string): readonly object[] {
    return [...transcriptOf(this.#place.fs, this.#found(id).workspacePath, id)];
  }

  undo(id: string, body: SessionUndo): Promise<UndoAnswer> {
    return undoTalk(this.#place, this.talk(id), body);
  }

  /** Closes a conversation; its journal stays. */
  async close(id: string): Promise<void> {
    const talk = this.talk(id);
    await talk.close();
    this.#processes.forget(id);
    this.#talks.delete(id);
  }

  #found(id: string): SessionSummary {
    const found = this.list().find((one) => one.id === id);
    if (found === undefined)
      throw unknownRefusal('conversation of that id', 'GET /api/sessions lists them.');
    return found;
  }

  /** Read again only if its journal has changed. */
  readonly #stateOf = ({ id, workspace }: TalkId): ConversationState => {
    const { fs } = this.#place;
    const found = orNull(() => fs.stat(layoutOfSession(workspace, id).history));
    const seen = found === null ? '' : `${found.size} ${found.mtimeMs}`;
    const known = this.#read.get(id);
    const state = known?.seen === seen ? known.state : readSession(fs, workspace, id);
    this.#read.set(id, { seen, state });
    if (state === null)
      throw unknownRefusal('conversation of that id', 'GET /api/sessions lists them.');
    return state;
  };
}

/** The conversations of a folder; none if its state is unreadable, which its runs show. */
const listedIn = (fs: FileSystem, workspace: string) =>
  orNull(() => shownSessions(fs, workspace)) ?? [];

const modelIn = (settings: ConversationState['settings']): string =>
  settings === null ? '' : `${settings.provider}/${settings.model}`;

function begunOf(talk: Talk, stateOf: (of: TalkId) => ConversationState): SessionBegun {
  const { chat, settings } = stateOf(talk);
  const { name, number } = chat;
  return {
    id: talk.id,
    number,
    name,
    workspacePath: talk.workspace,
    model: modelIn(settings),
  };
}
