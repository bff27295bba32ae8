/** A run or a conversation whose process, channel and server break wherever the dice say so. All of it is in memory but the journal. */
import { EventEmitter } from 'node:events';
import type { FollowRequest } from '../../src/host/live/live-port.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { RecentEvents } from '../../src/live/recent-events.ts';
import { FrameWriter } from '../../src/server/http/frames.ts';
import { Talk } from '../../src/server/sessions/talk.ts';
import { RunFeed } from '../../src/server/streams/feed.ts';
import { streamRun, streamTalk } from '../../src/server/streams/serve.ts';
import { TOLD, toldJournal } from './told-journal.ts';

/** 0 is what goes well. */
export type Roll = (sides: number) => number;

export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((done) => setImmediate(done));
};

/** What waits in a channel to arrive at the server. */
type Message = (connection: Connection) => void;
interface Connection {
  readonly request: FollowRequest;
  readonly asked: Set<string>;
  readonly close: (how: string) => void;
  waiting: Message[];
  heard: string | null;
}
const ASKED = { tool: 't', target: '', reason: '', rules: [] };
const QUESTION = { ...ASKED, offered: [], argv: null, folder: '/', program: null };
const RESULT = { type: 'result', ending: 'achieved', error: null };
const NO_USAGE = { input: 0, output: 0, thinking: 0, cacheRead: 0, cacheWrite: 0, modelMs: 0 };

export class StreamWorld {
  readonly journal: ReturnType<typeof toldJournal>;
  readonly roll: Roll;
  readonly isChat: boolean;
  /** Characters that its process holds; few: a slow channel loses some of a turn. */
  readonly most: number;
  talk!: Talk;
  /** Of the message or the run. */
  isOver: boolean;
  question: string | null = null;
  #log: RecentEvents | null = null;
  #connections = new Set<Connection>();
  #feed: RunFeed | null = null;
  #now = 0;
  #sleepers = new Map<() => void, number>();
  #said = '';
  #text: string | null = null;
  #calls: string[] = [];
  #count = 0;
  #isPaused = false;
  #openSince = 1;
  #hasBegun = false;

  constructor(roll: Roll, isChat: boolean) {
    this.roll = roll;
    this.isChat = isChat;
    this.isOver = isChat;
    this.most = roll(3) === 2 ? 300 + roll(2000) : 1_000_000;
    this.journal = toldJournal(isChat);
    this.startServer();
    this.#begin();
  }

  get isAtWork(): boolean {
    return this.#log !== null;
  }

  /** One step of the process; of the next one where there is none. */
  work(): void {
    const { roll } = this;
    if (this.#log === null) {
      if (this.isChat || !this.isOver) this.#begin();
    } else if (this.isOver) {
      this.#record({ type: 'person_said', text: 'Go on' });
      this.#openSince = this.#seq;
      this.isOver = false;
    } else if (this.question !== null) this.#answer(this.question);
    else if (this.#text !== null) this.#turn(roll(20));
    else if (this.#calls.length > 0) this.#act(roll(5));
    else {
      this.#text = '';
      this.#say({ type: 'turn_started', turn: 1, purpose: 'action', target: null });
    }
  }

  #turn(die: number): void {
    if (die < 3) this.#finishTurn('success');
    else if (die === 3) this.#finishTurn('network_error');
    else if (die === 4) this.#end(this.isChat ? 'interrupted' : 'paused');
    else if (die === 5) this.#say({ type: 'thinking_delta', text: this.#piece() });
    else if (die === 6) this.#say({ type: 'tool_call_started', index: 0, name: 't' });
    else if (die === 7) this.#say({ type: 'tool_call_arguments', index: 0, text: this.#piece() });
    else if (die === 8) this.#say({ type: 'notice', level: 'info', text: 'n' });
    else {
      const text = this.#piece();
      this.#text += text;
      this.#say({ type: 'text_delta', text });
    }
  }

  #finishTurn(kind: 'success' | 'network_error'): void {
    const content = this.#text ?? '';
    const most = kind === 'success' ? this.roll(3) : 0;
    const calls = Array.from({ length: most }, () => ({ id: this.#newId(), name: 't', args: {} }));
    for (const call of calls) this.#say({ type: 'tool_call_ready', ...call });
    this.#text = null;
    const failed = { retryable: true, cause: 'x', message: 'x', hint: '', reason: 'x' };
    this.#record({
      ...{ type: 'turn_finished', turn: 1, round: 0, attempt: 1, purpose: 'action', seed: 0 },
      ...{ status: kind === 'success' ? { kind } : { kind, ...failed }, detail: '', rawReason: '' },
      response: { content, ...(most > 0 ? { toolCalls: calls } : {}) },
      decoded: most > 0 ? { kind: 'calls', calls, recovered: false } : { kind: 'text' },
      usage: NO_USAGE,
    });
    this.#calls = calls.map(({ id }) => id);
    if (kind === 'success' && most === 0 && (this.isChat || this.roll(6) === 0))
      this.#end(this.isChat ? 'replied' : 'achieved');
  }

  #act(die: number): void {
    const [call = ''] = this.#calls;
    if (die === 1) this.#say({ type: 'tool_started', id: `a${call}`, callId: call, name: 't' });
    else if (die === 2) this.#say({ type: 'tool_output', text: this.#piece() });
    else if (die === 3) this.#ask(call);
    else this.#finishCall('ok');
  }

  #ask(callId: string): void {
    const id = this.#newId();
    this.question = id;
    this.#record({ type: 'approval_asked', id, question: 'x', ...ASKED });
    this.#send((to) => ask(to, { ...QUESTION, id, callId } as never));
  }

  #answer(id: string): void {
    this.question = null;
    this.#send((to) => settled(to, id));
    this.#record({ type: 'approval_given', id, allowed: true, why: '', by: 'person' });
  }

  #finishCall(status: 'ok' | 'cancelled'): void {
    const callId = this.#calls.shift();
    this.#record({
      ...{ type: 'action_finished', id: `a${callId}`, tool: 't', touches: 'nothing', target: '' },
      ...{ signature: 's', callId, status, result: 'r', resultHash: '', facts: {}, hashes: {} },
    });
  }

  /** Ends the message, or the run and its process. */
  #end(ending: 'replied' | 'interrupted' | 'achieved' | 'paused'): void {
    this.#text = null;
    while (this.#calls.length > 0) this.#finishCall('cancelled');
    this.isOver = ending !== 'paused';
    this.#isPaused = !this.isOver;
    if (this.isChat) this.#record({ type: 'message_ended', ending, detail: '' });
    else {
      if (this.#isPaused) this.#record({ type: 'run_paused', why: 'interrupted', detail: '' });
      else this.#record({ type: 'run_finished', ending, detail: '' });
      this.#say({ ...RESULT, ending });
      this.stop('ended');
    }
  }

  /** Of a process that ends well all arrives; of a killed one what is under way may be lost. */
  stop(how: 'ended' | 'gone'): void {
    const connections = [...this.#connections];
    this.#log = null;
    this.question = null;
    this.#text = null;
    this.#calls = [];
    for (const one of connections) {
      this.#arrive(
        one,
        how === 'ended' ? Number.POSITIVE_INFINITY : this.roll(one.waiting.length + 1),
      );
      one.close(how);
    }
  }

  #begin(): void {
    if (this.#hasBegun) {
      this.journal.append({ type: 'lease_taken', token: this.#seq + 1, host: 'h', version: '1' });
      if (!this.isChat && this.roll(2) === 0)
        this.journal.append({ type: 'run_resumed', version: '1', limits: {} });
    }
    this.#isPaused = false;
    if (this.roll(3) === 2) this.journal.append({ type: 'note', kind: 'x', data: {} });
    this.#hasBegun = true;
    this.#log = new RecentEvents(this.journal.last(), this.most);
  }

  get #seq(): number {
    return Number(this.journal.last().split('.')[0]);
  }

  #newId(): string {
    this.#count += 1;
    return `x${this.#count}`;
  }

  #piece(): string {
    const from = this.#said.length;
    for (let left = 1 + this.roll(5); left > 0; left -= 1)
      this.#said += String.fromCharCode(97 + (this.#said.length % 26));
    return `${this.#said.slice(from)}${from}`;
  }

  #record(body: object): void {
    for (const { event } of this.journal.append(body)) this.#say(event);
  }

  #say(event: object): void {
    const numbered = this.#log?.append({ v: 1, run: TOLD, ...event } as never);
    if (numbered !== undefined) this.#send((to) => tell(to, numbered));
  }

  #send(message: Message): void {
    for (const { waiting } of this.#connections) waiting.push(message);
  }

  #follow(request: FollowRequest): object | string {
    if (this.#log === null || this.roll(8) === 7) return 'silent';
    let close: (how: string) => void = () => {};
    const closed = new Promise<string>((resolve) => {
      close = (how) => {
        this.#connections.delete(one);
        resolve(how);
      };
    });
    const one = {
      request,
      close,
      asked: new Set<string>(),
      waiting: [],
      heard: request.after ?? null,
    };
    this.#connections.add(one);
    this.#greet(one);
    request.signal.addEventListener('abort', () => close('left'), { once: true });
    return { send: async () => ({ how: 'taken' }), closed };
  }

  /** As the process answers a watcher. */
  #greet(to: Connection): void {
    const log = this.#log as RecentEvents;
    const from = log.startFor(to.heard);
    const { last } = log;
    to.waiting = [(one) => greet(one, from, last)];
    for (const numbered of log.after(from)) to.waiting.push((one) => tell(one, numbered));
    const id = this.question;
    if (id !== null) to.waiting.push((one) => ask(one, { ...QUESTION, id, callId: id } as never));
  }

  /** Some of what the channels hold arrives. */
  arrive(count: number): void {
    for (const one of [...this.#connections]) this.#arrive(one, count);
  }

  #arrive(to: Connection, count: number): void {
    for (let left = count; left > 0 && this.#connections.has(to); left -= 1) {
      const message = to.waiting.shift();
      if (message === undefined) return;
      message(to);
    }
  }

  /** The channels break, and are made again. */
  breakChannels(): void {
    for (const one of this.#connections) this.#greet(one);
  }

  /** @param ms 250 is the time of a look at the journal */
  pass(ms: number): void {
    this.#now += ms;
    for (const [wake, until] of [...this.#sleepers]) if (until <= this.#now) wake();
  }

  readonly #clock = {
    now: () => this.#now,
    monotonic: () => this.#now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const wake = (): void => {
          this.#sleepers.delete(wake);
          resolve();
        };
        const stop = (): void => {
          this.#sleepers.delete(wake);
          reject(signal?.reason);
        };
        if (signal?.aborted) return stop();
        this.#sleepers.set(wake, this.#now + ms);
        signal?.addEventListener('abort', stop, { once: true });
      }),
  };

  readonly #place = {
    fs: nodeFileSystem,
    clock: this.#clock,
    live: {
      all: () =>
        this.#log === null ? [] : [{ run: TOLD, workspace: this.journal.workspace, address: 'a' }],
      follow: async (request: FollowRequest) => this.#follow(request),
    },
  } as never;

  #feedNow(): RunFeed {
    const of = { run: TOLD, workspace: this.journal.workspace, isChat: this.isChat };
    const made =
      this.#feed ??
      new RunFeed(this.#place, of, () => {
        if (this.#feed === made) this.#feed = null;
      });
    this.#feed = made;
    return made;
  }

  /** Whoever was connected to the last one is not connected to this one. */
  startServer(): void {
    this.#feed?.close();
    this.#feed = null;
    const seen = this.#feedNow().journal.lastIdOf(this.isOver ? this.#seq : this.#openSince - 1);
    const parts = { clock: this.#clock, feed: () => this.#feedNow() } as never;
    this.talk = new Talk(parts, { id: TOLD, workspace: this.journal.workspace }, seen);
  }

  /** Resolves when the stream has ended. */
  stream(response: Response, query: URLSearchParams, after: string | null): Promise<void> {
    const frames = (): FrameWriter => new FrameWriter(response as never, {});
    const call = { query, after, frames } as never;
    if (this.isChat) return streamTalk(call, this.talk, this.#place);
    const isOver = this.isOver && !this.isAtWork;
    const ending = () => (this.#isPaused ? 'paused' : RESULT.ending);
    const told = () => ({ v: 1, run: TOLD, ...RESULT, ending: ending() }) as never;
    const result = async () => (this.isOver || this.#isPaused ? told() : null);
    const waited = { feed: this.#feedNow(), isOver, neverBegins: () => false, result };
    return streamRun(call, waited, this.#place);
  }

  close(): void {
    this.#feed?.close();
    this.journal.remove();
  }
}

function greet(to: Connection, from: string, last: string): void {
  to.heard = from;
  for (const id of to.asked) to.request.observer.settled(id);
  to.asked.clear();
  to.request.observer.begins?.(from, last);
}

function tell(
  to: Connection,
  { id, event }: { readonly id: string; readonly event: object },
): void {
  to.heard = id;
  to.request.observer.receive(id, structuredClone(event) as never);
}

function ask(to: Connection, question: Parameters<FollowRequest['observer']['question']>[0]): void {
  to.asked.add(question.id);
  to.request.observer.question(question);
}

function settled(to: Connection, id: string): void {
  to.asked.delete(id);
  to.request.observer.settled(id);
}

/** What a server writes to one client. */
export class Response extends EventEmitter {
  written: Buffer[] = [];
  destroyed = false;
  writableEnded = false;
  /** Bytes that the client has not read. */
  writableLength = 0;
  get writableNeedDrain(): boolean {
    return this.writableLength > 0;
  }
  removeHeader(): void {}
  writeHead(): void {}
  write(bytes: Buffer | string): boolean {
    this.written.push(Buffer.from(bytes));
    return true;
  }
  end(): void {
    this.writableEnded = true;
    queueMicrotask(() => this.destroy());
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}
