/**
 * Scripted whole conversations through the door of the library: every request they send, and what each
 * message comes to, as text that can be read and compared to the byte.
 */
import { createHash } from 'node:crypto';
import {
  type ConversationOptions,
  type ConversationSession,
  createSession,
  type MessageOutcome,
} from '../../src/index.ts';
import type { ModelRequest } from '../../src/schema/turn.ts';
import { goldenText } from './golden-requests.ts';
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
  /** `stopsAt`: stopped by the person at so many results of tools. */
  | { readonly say: string; readonly in?: string; readonly stopsAt?: number }
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

/** The conversations of one process: one for each name, opened when something is first done in it. */
class Talks {
  readonly requests: Asked[] = [];
  readonly sessions = new Set<string>();
  readonly #talk: GoldenTalk;
  readonly #machine: TestMachine;
  readonly #from: number;
  readonly #open = new Map<string, ConversationSession>();

  /** @param from answers that were given before */
  constructor(talk: GoldenTalk, machine: TestMachine, from: number) {
    this.#talk = talk;
    this.#machine = machine;
    this.#from = from;
  }

  async session(name = 'talk', more: TalkOptions = {}): Promise<ConversationSession> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const { way, options } = this.#talk;
    const { can, spare, ...rest } = { ...options, ...more };
    const session = await createSession({
      ...{ workspace: WORKSPACE, machine: this.#machine, model: SCRIPTED_MODEL, name },
      provider: this.#provider('scripted', { ...CAN[way], ...can }),
      ...(spare === undefined
        ? {}
        : {
            fallbacks: [
              { provider: this.#provider('spare', spare), model: SCRIPTED_MODEL, profile: 'spare' },
            ],
          }),
      ...rest,
    });
    this.#open.set(name, session);
    this.sessions.add(session.id);
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

  #provider(name: string, can: ScriptedOptions) {
    const provider = scriptedProvider((request) => {
      const copy: ModelRequest = JSON.parse(JSON.stringify(request));
      this.requests.push(name === 'scripted' ? copy : { by: name, ...copy });
      const answer = this.#talk.answers[this.#from + this.requests.length - 1];
      if (answer === undefined) throw new Error(`${this.#talk.name}: no answer is left`);
      return answer;
    }, can);
    return { ...provider, name };
  }
}

/** Does all that the person does, from the beginning. */
export async function playTalk(talk: GoldenTalk, world: TestWorld = worldOf(talk)) {
  const talks = new Talks(talk, world.machine(), 0);
  const came: object[] = [];
  for (const deed of talk.does) came.push({ ...said(deed), ...(await doneIn(talks, world, deed)) });
  await talks.close();
  return { requests: talks.requests, came, sessions: [...talks.sessions] } satisfies Played;
}

export function worldOf({ files = {} }: Pick<GoldenTalk, 'files'>): TestWorld {
  const world = testWorld();
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return world;
}

async function doneIn(talks: Talks, world: TestWorld, deed: Deed): Promise<object> {
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
  return outcomeOf(await sent(session, deed));
}

function sent(session: ConversationSession, { say, stopsAt }: Extract<Deed, { say: string }>) {
  const stop = new AbortController();
  let results = 0;
  return session.send(say, {
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'tool_result') results += 1;
      if (results === stopsAt) stop.abort();
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
  if (!('reopen' in deed)) return deed;
  const { ask: _ask, ...options } = deed.reopen;
  return { ...deed, reopen: options };
}

/** @param folder the absolute path of the workspace, which every machine says in its own way */
export function talkText(
  { name, way }: Pick<GoldenTalk, 'name' | 'way'>,
  { requests, came, sessions }: Played,
  folder = WORKSPACE,
): string {
  const seeds = seedsOf(sessions);
  const plain = requests.map(({ seed, messages, ...rest }) => ({
    ...rest,
    seed: seeds.get(seed) ?? `unknown: ${seed}`,
    messages: messages.map((message) => ({
      ...message,
      content: placeless(message.content, folder),
    })),
  }));
  return goldenText({ name, way, came }, plain as unknown as readonly ModelRequest[]);
}

const placeless = (text: string, folder: string): string =>
  text
    .replaceAll(folder, '/ws')
    .replace(/^Current time: \S+/m, 'Current time: TIME')
    .replace(/^Platform: .*$/m, 'Platform: PLATFORM');

const MOST_TURNS = 60;
const MOST_ATTEMPTS = 8;

/** Of a session, a turn and an attempt each request has a seed of its own, which is the same in every process. */
function seedsOf(sessions: readonly string[]): ReadonlyMap<number, string> {
  const seeds = new Map<number, string>();
  for (const [at, session] of sessions.entries())
    for (let turn = 1; turn <= MOST_TURNS; turn += 1)
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const digest = createHash('sha256').update(`${session}\0${0}\0${turn}\0${attempt}`);
        const seed = digest.digest().readUInt32BE(0) & 0x7fffffff;
        seeds.set(seed, `session ${at + 1}, turn ${turn}, attempt ${attempt}`);
      }
  return seeds;
}
