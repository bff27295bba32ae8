/**
 * Scripted whole conversations through the door of the library: every request they send, and what each
 * message comes to, as text that can be read and compared to the byte.
 */
import {
  type ConversationOptions,
  type ConversationSession,
  createSession,
  type MessageOptions,
  type MessageOutcome,
} from '../../src/index.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import {
  SCRIPTED_MODEL,
  type ScriptedOptions,
  type ScriptedReply,
  scriptedProvider,
} from './scripted-provider.ts';
import { type TestMachine, type TestWorld, testWorld, WORKSPACE } from './test-machine.ts';

/** How calls are asked for: on the wire, as answers that are held to a schema, written as text. */
export type Way = 'wire' | 'held' | 'text';

/** What the person does, or somebody else in the folder. */
export type Deed =
  | {
      readonly say: string;
      readonly in?: string;
      /** Stopped by the person at so many results of tools. */
      readonly stopsAt?: number;
      /** A file changes that another conversation has seen. */
      readonly changesSeen?: true;
    }
  | { readonly undo: true; readonly in?: string }
  | { readonly allow: string; readonly in?: string }
  | { readonly remember: string; readonly in?: string }
  /** Closed and opened again, with other options. */
  | { readonly reopen: TalkOptions; readonly in?: string }
  | { readonly write: string; readonly text: string };

export type TalkOptions = Partial<Omit<ConversationOptions, 'workspace' | 'machine'>> & {
  /** What the model can. */
  readonly can?: ScriptedOptions;
  /** What another one can that is asked when the first fails. */
  readonly spare?: ScriptedOptions;
};

export interface GoldenTalk {
  readonly name: string;
  readonly way: Way;
  /** What lies in the workspace before. */
  readonly files?: { readonly [path: string]: string };
  readonly options?: TalkOptions;
  readonly does: readonly Deed[];
  /** One answer a request, in this order, whoever is asked. */
  readonly answers: readonly (ScriptedReply | string)[];
  /** Texts that some request must hold, so that the conversation shows what it is for. */
  readonly shows: readonly string[];
  /** How each message ends. */
  readonly ends: readonly string[];
}

export type Asked = ModelRequest & { readonly by?: string };

export interface Played {
  readonly requests: readonly Asked[];
  /** What came of each deed. */
  readonly came: readonly object[];
  readonly sessions: readonly string[];
}

const CAN: { readonly [way in Way]: ScriptedOptions } = {
  wire: { parameters: 32e9, contextWindow: 32_768 },
  held: { parameters: 1.5e9, canCallTools: false },
  text: { parameters: 32e9, contextWindow: 32_768, canCallTools: false, holdsSchema: false },
};

/** What one process has done so far; whoever ends it looks at it afterwards. */
export interface Life {
  readonly machine: TestMachine;
  readonly requests: Asked[];
  /** What came of each deed, from the first one of this process on. */
  readonly came: object[];
  readonly sessions: Set<string>;
  /** The deed under way, by its place. */
  deed: number;
  /** Results of tools that the person saw of the message under way. */
  results: number;
}

export const lifeIn = (world: TestWorld, machine: TestMachine = world.machine()): Life => ({
  ...{ machine, requests: [], came: [], sessions: new Set<string>(), deed: 0, results: 0 },
});

/** Where the process before was ended. */
export interface Before extends Pick<Life, 'deed' | 'results'> {
  /** Requests that were answered, and the answers recorded. */
  readonly answered: number;
  /** Conversations that were open by then. */
  readonly sessions: ReadonlySet<string>;
  /** Something of the deed was recorded. */
  readonly hasBegun: boolean;
}

/** The conversations of one process: one for each name, opened when something is first done in it. */
class Talks {
  readonly #talk: GoldenTalk;
  readonly #life: Life;
  readonly #before: Before | null;
  readonly #open = new Map<string, ConversationSession>();

  constructor(talk: GoldenTalk, life: Life, before: Before | null) {
    this.#talk = talk;
    this.#life = life;
    this.#before = before;
  }

  async session(name = 'talk', more: TalkOptions = this.#lastOf(name)) {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const { way, options } = this.#talk;
    const { can, spare, messages, ...rest } = { ...options, ...more };
    // A conversation is given messages only where it begins.
    const given = messages === undefined || this.#before?.sessions.size ? {} : { messages };
    const session = await createSession({
      ...{ workspace: WORKSPACE, machine: this.#life.machine, model: SCRIPTED_MODEL, name },
      provider: this.#provider('scripted', { ...CAN[way], ...can }),
      ...(spare === undefined
        ? {}
        : {
            fallbacks: [
              { provider: this.#provider('spare', spare), model: SCRIPTED_MODEL, profile: 'spare' },
            ],
          }),
      ...{ ...rest, ...given },
    });
    this.#open.set(name, session);
    this.#life.sessions.add(session.id);
    return session;
  }

  async reopen(name = 'talk', more: TalkOptions = {}): Promise<ConversationSession> {
    await this.#open.get(name)?.close();
    this.#open.delete(name);
    return this.session(name, more);
  }

  async close(): Promise<void> {
    for (const session of this.#open.values()) await session.close();
  }

  /** The options that it was opened with last. */
  #lastOf(name: string): TalkOptions {
    const done = this.#talk.does.slice(0, this.#life.deed);
    const last = done.findLast((deed) => 'reopen' in deed && (deed.in ?? 'talk') === name);
    return last !== undefined && 'reopen' in last ? last.reopen : {};
  }

  #provider(name: string, can: ScriptedOptions) {
    const provider = scriptedProvider((request) => {
      const { requests } = this.#life;
      const copy: ModelRequest = JSON.parse(JSON.stringify(request));
      requests.push(name === 'scripted' ? copy : { by: name, ...copy });
      const at = (this.#before?.answered ?? 0) + requests.length - 1;
      const answer = this.#talk.answers[at];
      if (answer === undefined) throw new Error(`${this.#talk.name}: no answer is left`);
      return answer;
    }, can);
    return { ...provider, name };
  }
}

/** Does all that the person does; after a process that was ended, what is left of it. */
export async function playTalk(
  talk: GoldenTalk,
  world: TestWorld = worldOf(talk),
  life: Life = lifeIn(world),
  before: Before | null = null,
): Promise<Played> {
  life.deed = before?.deed ?? 0;
  const talks = new Talks(talk, life, before);
  for (const [at, deed] of talk.does.entries()) {
    if (at < (before?.deed ?? 0)) continue;
    life.deed = at;
    life.results = 0;
    const isLeftOff = before !== null && at === before.deed && before.hasBegun;
    const came = isLeftOff
      ? await goneOn(talks, life, deed, before)
      : await doneIn(talks, world, life, deed);
    life.came.push({ ...said(deed), ...came });
  }
  await talks.close();
  const sessions = [...new Set([...(before?.sessions ?? []), ...life.sessions])];
  return { requests: life.requests, came: life.came, sessions };
}

/** What became of a deed that the process before was at. */
async function goneOn(talks: Talks, life: Life, deed: Deed, before: Before): Promise<object> {
  if ('write' in deed) throw new Error('This is done at once.');
  if ('reopen' in deed) return { isOpen: (await talks.reopen(deed.in, deed.reopen)).isOpen };
  const session = await talks.session(deed.in);
  if (!('say' in deed)) return {};
  const wasSaid = session
    .messages()
    .some(({ role, content }) => role === 'user' && content === deed.say);
  if (!wasSaid) return outcomeOf(await sent(session, life, deed));
  life.results = before.results;
  const outcome = await heard(life, deed, (how) => session.goOn(how));
  return outcome === null ? {} : outcomeOf(outcome);
}

export function worldOf({ files = {} }: Pick<GoldenTalk, 'files'>): TestWorld {
  const world = testWorld();
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return world;
}

async function doneIn(talks: Talks, world: TestWorld, life: Life, deed: Deed): Promise<object> {
  if ('write' in deed) {
    world.write(deed.write, deed.text);
    return {};
  }
  if ('reopen' in deed) {
    const session = await talks.reopen(deed.in, deed.reopen);
    return { isOpen: session.isOpen };
  }
  const session = await talks.session(deed.in);
  if ('undo' in deed) return { report: session.undo() };
  if ('allow' in deed) return { allowed: session.allow(deed.allow) };
  if ('remember' in deed) return session.remember(deed.remember);
  return outcomeOf(await sent(session, life, deed));
}

type Said = Extract<Deed, { say: string }>;

const sent = (session: ConversationSession, life: Life, deed: Said): Promise<MessageOutcome> =>
  heard(life, deed, (how) => session.send(deed.say, how));

/** Stopped by the person where the deed says so. */
function heard<Outcome>(
  life: Life,
  { stopsAt }: Said,
  work: (how: MessageOptions) => Promise<Outcome>,
): Promise<Outcome> {
  const stop = new AbortController();
  const look = (): void => {
    if (life.results === stopsAt) stop.abort();
  };
  look();
  return work({
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'tool_result') life.results += 1;
      look();
    },
  });
}

/** How it ended, and what was said of it. */
const outcomeOf = ({ ending, why, reply, detail, hint, turns, exitCode }: MessageOutcome) => ({
  ...{ ending, why, reply: short(reply), detail, hint, turns, exitCode },
});

/** The whole of it stands in the next request. */
const short = (text: string): string =>
  text.length > 200 ? `${text.slice(0, 60)} … (${text.length} characters)` : text;

/** What is done, without what differs in a golden for no reason. */
function said(deed: Deed): object {
  if ('say' in deed) {
    const { changesSeen: _changesSeen, ...rest } = deed;
    return rest;
  }
  if (!('reopen' in deed)) return deed;
  const { ask: _ask, ...options } = deed.reopen;
  return { ...deed, reopen: options };
}
