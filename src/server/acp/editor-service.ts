/** The requests of an editor, one method each. Closing the service closes everything it holds open. */

import type {
  CloseSessionRequest,
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  SessionConfigOption,
  SessionUpdate,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk';
import { misuse } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { settingIn } from './config-options.ts';
import type { EditorPlace } from './contract.ts';
import { EditorSession } from './editor-session.ts';
import type { Choose } from './permission.ts';

/** The connection to the editor. */
export interface EditorWire {
  update(session: string, update: SessionUpdate): void;
  choose(session: string): Choose;
}

/** No open conversation has this id. */
export class NoSession extends Error {
  readonly session: string;

  constructor(session: string) {
    super(`No conversation ${session} is there.`);
    this.session = session;
  }
}

const VERSION = 1;
const PAGE = 50;
const STOPPED = 'stopped in the editor';

export class EditorService {
  readonly #place: EditorPlace;
  readonly #wire: EditorWire;
  readonly #sessions = new Map<string, EditorSession>();
  #hasNotices = false;
  /** Model lists, by the provider that was asked. */
  readonly #models = new Map<string, Promise<readonly string[]>>();

  constructor(place: EditorPlace, wire: EditorWire) {
    this.#place = place;
    this.#wire = wire;
  }

  initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#hasNotices = clientCapabilities?.session?.notices != null;
    return {
      protocolVersion: VERSION,
      agentInfo: { name: 'tardigrade', title: 'Tardigrade', version: this.#place.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async begin({ cwd, mcpServers }: NewSessionRequest): Promise<NewSessionResponse> {
    const session = await this.#open({ cwd, mcpServers }, null);
    return { sessionId: session.id, configOptions: session.options };
  }

  /** Loads a conversation with everything that was said in it. */
  async load(request: LoadSessionRequest): Promise<{ configOptions: SessionConfigOption[] }> {
    const session = await this.#again(request);
    await session.replay();
    return { configOptions: session.options };
  }

  async resume(request: ResumeSessionRequest): Promise<{ configOptions: SessionConfigOption[] }> {
    return { configOptions: (await this.#again(request)).options };
  }

  list({ cwd, cursor }: ListSessionsRequest): ListSessionsResponse {
    const from = cursor == null ? 0 : Number(cursor);
    if (!Number.isSafeInteger(from) || from < 0)
      throw misuse('That cursor is unknown.', 'Begin without one.');
    const all = this.#place.list(cwd == null ? null : this.#place.folder(this.#absolute(cwd)));
    const next = from + PAGE;
    return {
      sessions: all.slice(from, next).map(({ id, workspace, title, lastAt }) => ({
        sessionId: id,
        cwd: workspace,
        title,
        updatedAt: new Date(lastAt).toISOString(),
      })),
      ...(next < all.length ? { nextCursor: String(next) } : {}),
    };
  }

  async prompt({ sessionId, prompt }: PromptRequest): Promise<PromptResponse> {
    return { stopReason: await this.#held(sessionId).prompt(prompt) };
  }

  cancel(session: string): void {
    this.#sessions.get(session)?.cancel(STOPPED);
  }

  async set(
    request: SetSessionConfigOptionRequest,
  ): Promise<{ configOptions: SessionConfigOption[] }> {
    const session = this.#held(request.sessionId);
    await session.set(settingIn(request.configId, request.value));
    return { configOptions: session.options };
  }

  async close({ sessionId }: CloseSessionRequest): Promise<void> {
    const session = this.#held(sessionId);
    this.#sessions.delete(sessionId);
    await session.close(STOPPED);
  }

  async closeAll(why: string): Promise<void> {
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(all.map((session) => session.close(why)));
  }

  #held(session: string): EditorSession {
    const found = this.#sessions.get(session);
    if (found === undefined) throw new NoSession(session);
    return found;
  }

  async #again({ sessionId, cwd, mcpServers = [] }: ResumeSessionRequest): Promise<EditorSession> {
    const workspace = this.#place.folder(this.#absolute(cwd));
    const held = this.#sessions.get(sessionId);
    if (held?.at.workspace === workspace) {
      this.#announce(held);
      return held;
    }
    if (!this.#place.list(workspace).some(({ id }) => id === sessionId))
      throw new NoSession(sessionId);
    return this.#open({ cwd, mcpServers }, sessionId);
  }

  async #open(
    { cwd, mcpServers: named }: Pick<NewSessionRequest, 'cwd' | 'mcpServers'>,
    id: string | null,
  ): Promise<EditorSession> {
    const workspace = this.#place.folder(this.#absolute(cwd));
    const parts = { place: this.#place, editor: (of: string) => this.#editor(of) };
    const session = new EditorSession(parts, { workspace, named });
    await session.open(id);
    this.#sessions.set(session.id, session);
    this.#announce(session);
    return session;
  }

  #editor(session: string) {
    const wire = this.#wire;
    return {
      update: (update: SessionUpdate) => wire.update(session, update),
      choose: wire.choose(session),
      hasNotices: this.#hasNotices,
    };
  }

  /** Announces the commands after the answer that names the conversation. */
  #announce(session: EditorSession): void {
    const { clock, commands } = this.#place;
    const { id } = session;
    const update = (one: SessionUpdate): void => {
      if (this.#sessions.get(id) === session) this.#wire.update(id, one);
    };
    const availableCommands = commands.map(({ name, about, takes }) => ({
      name,
      description: about,
      ...(takes === undefined ? {} : { input: { hint: takes } }),
    }));
    void (clock.breathe?.() ?? Promise.resolve())
      .then(() => update({ sessionUpdate: 'available_commands_update', availableCommands }))
      .then(() => this.#modelsFor(session))
      .then((models) => {
        session.models = models;
        update({ sessionUpdate: 'config_option_update', configOptions: session.options });
      })
      .catch(() => {});
  }

  /** Asks each provider once. */
  #modelsFor({ session: { state } }: EditorSession): Promise<readonly string[]> {
    const { settings } = state;
    if (settings === null) return Promise.resolve([]);
    const who = JSON.stringify([settings.provider, settings.baseUrl]);
    const known = this.#models.get(who) ?? this.#place.models(settings).catch(() => []);
    this.#models.set(who, known);
    return known;
  }

  #absolute(cwd: string): string {
    if (pathsOf(this.#place.fs.platform).isAbsolute(cwd)) return cwd;
    throw misuse('The folder is not absolute.', 'Give a whole path.');
  }
}
