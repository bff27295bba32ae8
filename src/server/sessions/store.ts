/** The conversations that this server holds open, and those that lie in the folders it knows. */
import type { FileSystem } from '../../lib/files/file-system.ts';
import { listSessions, readSession, shownSessions } from '../../sessions/places.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import type { UndoAnswer } from '../api/run-schemas.ts';
import type {
  SessionBegun,
  SessionDetail,
  SessionResume,
  SessionResumed,
  SessionSummary,
  SessionUndo,
  SessionWish,
} from '../api/session-schemas.ts';
import { Refusal, unknown } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import type { Catalogue } from '../runs/catalogue.ts';
import { loggedMessagesIn } from './logged-messages.ts';
import { openRuntime, type TalkRuntime } from './runtime.ts';
import { undoTalk } from './undo.ts';

const MOST_OPEN = 64;

interface Found extends SessionSummary {
  readonly workspace: string;
}

export class TalkStore {
  readonly #place: ServerPlace;
  readonly #catalogue: Catalogue;
  readonly #open = new Map<string, TalkRuntime>();
  #opening = 0;

  constructor(place: ServerPlace, catalogue: Catalogue) {
    this.#place = place;
    this.#catalogue = catalogue;
  }

  /** Throws where this server does not hold it. */
  held(id: string): TalkRuntime {
    const runtime = this.#open.get(id);
    if (runtime !== undefined) return runtime;
    this.#found(id);
    throw unknown(
      'open conversation of that id',
      'Resume it: POST /api/sessions/{session}/resume.',
    );
  }

  async create(wish: SessionWish): Promise<SessionBegun> {
    const { workspacePath, maxTurns, ...rest } = wish;
    const workspace = this.#catalogue.add(workspacePath).path;
    const runtime = await this.#opened({
      ...rest,
      ...{ workspace, session: null, model: modelOf(wish), maxIterations: maxTurns },
    });
    return begunOf(runtime);
  }

  /** From its journal, also where this server has never seen it; from another program's log a new one. */
  async resume(id: string, wish: SessionResume): Promise<SessionResumed> {
    const workspace = this.#catalogue.add(wish.workspacePath).path;
    if (wish.logFile !== undefined) return this.#imported(workspace, wish.logFile, wish);
    const held = this.#open.get(id);
    if (held !== undefined && held.workspace !== workspace)
      throw new Refusal('E_OUTSIDE', 'That conversation is of another folder.', 'Name its own.');
    const isThere = listSessions(this.#place.fs, workspace).some((one) => one.id === id);
    if (held === undefined && !isThere)
      throw unknown('conversation of that id in that folder', 'GET /api/sessions lists them.');
    const isOpen = readSession(this.#place.fs, workspace, id)?.chat.open != null;
    const runtime = held ?? (await this.#opened({ workspace, session: id, model: modelOf(wish) }));
    return resumedOf(runtime, isOpen);
  }

  /** What the log says of calls, answers, addresses and models gives no right: its words alone are taken over. */
  async #imported(workspace: string, file: string, wish: SessionResume): Promise<SessionResumed> {
    const messages = loggedMessagesIn(this.#place.fs, this.#catalogue.file(file));
    const opening = { workspace, session: null, model: modelOf(wish), messages };
    return resumedOf(await this.#opened(opening), false);
  }

  async #opened(wish: Parameters<typeof openRuntime>[1]): Promise<TalkRuntime> {
    if (this.#open.size + this.#opening >= MOST_OPEN)
      throw new Refusal('E_TOO_MANY', `${MOST_OPEN} conversations are open.`, 'Close one of them.');
    this.#opening += 1;
    try {
      const { talk: port, clock } = this.#place;
      const runtime = await openRuntime({ port, clock }, wish);
      this.#open.set(runtime.session.id, runtime);
      return runtime;
    } finally {
      this.#opening -= 1;
    }
  }

  list(): readonly SessionSummary[] {
    return this.#all()
      .map(({ workspace: _, ...summary }) => summary)
      .toSorted((one, other) => other.lastAt - one.lastAt);
  }

  detail(id: string): SessionDetail {
    const { workspace, ...summary } = this.#found(id);
    const runtime = this.#open.get(id);
    const state = runtime?.session.state ?? readSession(this.#place.fs, workspace, id);
    if (state === null) throw unknown('conversation of that id', 'GET /api/sessions lists them.');
    const { settings, chat, usage } = state;
    return {
      ...summary,
      model: runtime?.model ?? (settings === null ? '' : `${settings.provider}/${settings.model}`),
      messages: chat.messages,
      isOpen: chat.open !== null,
      pendingApprovals: [...(runtime?.questions ?? [])],
      commands: [...this.#place.talk.commands],
      lastEventId: runtime?.log.last ?? `${state.seq}.0`,
      usage: usage.total,
      costUsd: usage.cost?.usd ?? null,
    };
  }

  transcript(id: string): readonly object[] {
    return [...transcriptOf(this.#place.fs, this.#found(id).workspace, id)];
  }

  undo(id: string, wish: SessionUndo): Promise<UndoAnswer> {
    const { workspace } = this.#found(id);
    return undoTalk(this.#place, { id, workspace, held: this.#open.get(id) }, wish);
  }

  /** Its journal stays. */
  async close(id: string): Promise<void> {
    const runtime = this.held(id);
    this.#open.delete(id);
    await runtime.close();
  }

  async closeAll(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(all.map((runtime) => runtime.close()));
  }

  #found(id: string): Found {
    const found = this.#all().find((one) => one.id === id);
    if (found === undefined)
      throw unknown('conversation of that id', 'GET /api/sessions lists them.');
    return found;
  }

  #all(): readonly Found[] {
    return this.#catalogue.folders().flatMap((workspace) =>
      listedIn(this.#place.fs, workspace).map((one) => ({
        ...{ id: one.id, number: one.number, name: one.name, workspacePath: workspace, workspace },
        ...{ state: this.#open.get(one.id)?.state ?? ('closed' as const), lastAt: one.lastAt },
      })),
    );
  }
}

function listedIn(fs: FileSystem, workspace: string) {
  try {
    return shownSessions(fs, workspace);
  } catch {
    // A folder whose state cannot be read is shown by its runs.
    return [];
  }
}

function modelOf({ provider, model }: SessionResume): string | undefined {
  if (provider === undefined) return model;
  if (model === undefined)
    throw new Refusal('E_BODY', 'provider is given without model.', 'Give both, or model alone.');
  return `${provider}/${model}`;
}

function begunOf({ session, model, workspace }: TalkRuntime): SessionBegun {
  const { name, number } = session.state.chat;
  return { id: session.id, number, name, workspacePath: workspace, model };
}

const resumedOf = (runtime: TalkRuntime, isOpen: boolean): SessionResumed => ({
  ...begunOf(runtime),
  messages: runtime.session.state.chat.messages,
  isOpen,
  pendingApprovals: [...runtime.questions],
});
