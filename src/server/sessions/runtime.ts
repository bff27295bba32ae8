/**
 * One conversation that this server holds open.
 *
 * 1. One message is worked on at a time; a client that goes ends nothing.
 * 2. Exactly one answer to a question counts, the first. A cancel, the time, and the end of the server are a no.
 * 3. One client holds the stream; what it was sent is not sent to the next holder again. Others watch beside it.
 */
import { type MessageEvents, messageEvents } from '../../host/library/message-events.ts';
import type { Clock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { EventLog } from '../../live/event-log.ts';
import type { Ask, AskAnswer } from '../../round/permission/answer.ts';
import type { Question as Asked } from '../../round/permission/person.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { Sent } from '../../sessions/sent.ts';
import type { Session } from '../../sessions/session.ts';
import { mergedReport, NOTHING_UNDONE, type UndoReport } from '../../undo/report.ts';
import type { Approval, Question } from '../api/run-schemas.ts';
import { busy, Refusal, unknown } from '../http/problem.ts';
import { answerIn } from '../runs/act.ts';
import { shown } from './shown.ts';
import type { OpenTalk, TalkPort, TalkRequest } from './talk-port.ts';

export interface TalkListener {
  event(numbered: ReturnType<EventLog['append']>): void;
  asked(question: Asked): void;
  settled(question: Asked): void;
}

interface Open {
  readonly question: Asked;
  end(answer: AskAnswer): void;
}

/** Nobody is waited for longer. */
const ANSWER_MS = 60 * 60_000;
const BY_PAGE = { by: 'person', door: 'page' } as const;
const MOST_ANSWERED = 200;

export type TalkWish = Omit<TalkRequest, 'ask' | 'hooks' | 'onEvent' | 'signal'>;

interface RuntimeParts {
  readonly port: TalkPort;
  readonly clock: Clock;
}

/** Rejects with what opening it says. */
export async function openRuntime(parts: RuntimeParts, wish: TalkWish): Promise<TalkRuntime> {
  const runtime = new TalkRuntime(parts, wish);
  await runtime.open();
  return runtime;
}

export class TalkRuntime {
  readonly workspace: string;
  readonly #parts: RuntimeParts;
  readonly #wish: TalkWish;
  readonly #teller: MessageEvents;
  readonly #listeners = new Set<TalkListener>();
  readonly #open = new Map<string, Open>();
  readonly #answered = new Map<string, boolean>();
  readonly #end = new AbortController();
  #talk: OpenTalk | null = null;
  #log = new EventLog(0);
  #work: AbortController | null = null;
  #holder: number | null = null;
  /** What holders were sent up to now. */
  delivered = '0.0';
  /** What the last message was about to do when this server was told of it. */
  lastAt: number;

  constructor(parts: RuntimeParts, wish: TalkWish) {
    this.#parts = parts;
    this.#wish = wish;
    this.workspace = wish.workspace;
    this.lastAt = parts.clock.now();
    this.#teller = messageEvents(wish.workspace, () => parts.clock.monotonic());
  }

  async open(): Promise<void> {
    const { session, model } = this.#wish;
    this.#talk = await this.#parts.port.open(this.#request(session, model));
    this.#log = new EventLog(this.session.state.seq);
    this.delivered = this.#log.last;
    if (this.session.isOpen) this.#begin((signal) => this.session.finish({ signal }));
  }

  #request(session: string | null, model: string | undefined): TalkRequest {
    return {
      ...{ ...this.#wish, session, model },
      ask: this.#ask,
      hooks: {
        send: (text) => {
          if (this.#work !== null) return { how: 'refused', why: 'A message is worked on.' };
          this.chat(text);
          return { how: 'taken' };
        },
        pause: () =>
          this.cancel() ? { how: 'taken' } : { how: 'refused', why: 'No message is worked on.' },
      },
      onEvent: this.#teller.observe,
      signal: this.#end.signal,
    };
  }

  get session(): Session {
    if (this.#talk === null) throw new Error('The conversation is not open yet.');
    return this.#talk.session;
  }

  get model(): string {
    return this.#talk?.model ?? '';
  }

  get log(): EventLog {
    return this.#log;
  }

  get state(): 'idle' | 'working' | 'waiting' {
    if (this.#open.size > 0) return 'waiting';
    return this.#work === null ? 'idle' : 'working';
  }

  get questions(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => shown(question));
  }

  /** The number of the message. Throws while another one is worked on. */
  chat(text: string): number {
    if (this.#work !== null) throw this.#isBusy();
    const turn = this.session.state.chat.messages + 1;
    this.#begin((signal) => this.session.send(text, { signal }));
    return turn;
  }

  /** What a command behind a slash says. Throws while a message is worked on, and for what is no command. */
  command(line: string): Promise<string> {
    return this.#aside(async (signal) => {
      if (this.#talk === null) throw new Error('The conversation is not open yet.');
      const switchModel = (model: string) => this.#reopen(model);
      return this.#talk.command(line, { signal, switchModel });
    });
  }

  /** Puts back what the last message changed in files, or all of them. */
  undo(isAll: boolean): Promise<UndoReport> {
    return this.#aside(async (signal) => {
      const run = interruptibleRunner(this.#parts.clock, signal);
      const reports: UndoReport[] = [];
      for (;;) {
        const report = await run(this.session.undoing());
        if (report === null) break;
        reports.push(report);
        if (!isAll) break;
      }
      return reports.length === 0 ? NOTHING_UNDONE : mergedReport(reports);
    });
  }

  /** Between two messages; told to all who follow. */
  async #aside<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#work !== null) throw this.#isBusy();
    const stop = new AbortController();
    this.#work = stop;
    this.lastAt = this.#parts.clock.now();
    try {
      return await this.#teller.between(this.session, this.#write, () => work(stop.signal));
    } finally {
      this.#work = null;
    }
  }

  #isBusy = () => busy('A message is worked on.', 'Wait for its completed event, or cancel it.');

  /** The same conversation with another model; with the one of before where that cannot be had. */
  async #reopen(model: string): Promise<Session> {
    const { id } = this.session;
    const before = this.model;
    await this.#talk?.close();
    try {
      this.#talk = await this.#parts.port.open(this.#request(id, model));
    } catch (error) {
      this.#talk = await this.#parts.port.open(this.#request(id, before));
      throw error;
    }
    return this.session;
  }

  /** False where nothing is worked on. */
  cancel(): boolean {
    this.#work?.abort();
    return this.#work !== null;
  }

  /** Throws where it is not open, or was answered before. @param id of the question or of its call */
  answer(id: string, approval: Approval): { readonly how: 'taken'; readonly allowed: boolean } {
    const { kind, why, input } = { input: undefined, ...answerIn(approval) };
    const open = [...this.#open.values()].find(({ question }) => isOf(question, id));
    if (open === undefined) {
      const before = this.#answered.get(id);
      if (before === undefined)
        throw unknown('such question', 'It may be of another conversation.');
      throw new Refusal(
        'E_ANSWERED',
        `It was answered before: ${before ? 'yes' : 'no'}.`,
        'The first answer counts.',
      );
    }
    const isOnlyOnce = open.question.offered.length === 0;
    const yes = kind !== 'no' && isOnlyOnce ? 'once' : kind;
    open.end(
      yes === 'no'
        ? { kind: 'no', why, ...BY_PAGE }
        : { kind: yes, ...defined({ input }), ...BY_PAGE },
    );
    return { how: 'taken', allowed: kind !== 'no' };
  }

  /** Takes the stream. Throws where somebody has it. @returns what gives it back */
  hold(): () => void {
    if (this.#holder !== null)
      throw busy(
        `Somebody holds this stream since ${new Date(this.#holder).toISOString()}.`,
        'Watch beside it with observe=1.',
      );
    const since = this.#parts.clock.now();
    this.#holder = since;
    return () => {
      this.#holder = null;
    };
  }

  join(listener: TalkListener): () => void {
    this.#listeners.add(listener);
    for (const { question } of this.#open.values()) listener.asked(question);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#work?.abort();
    this.#end.abort();
    await this.#worked;
    await this.#talk?.close();
  }

  #worked: Promise<unknown> = Promise.resolve();

  #begin(work: (signal: AbortSignal) => Promise<Sent>): void {
    const stop = new AbortController();
    this.#work = stop;
    this.lastAt = this.#parts.clock.now();
    this.#worked = this.#teller
      .message(this.session, this.#write, () => work(stop.signal))
      .catch(() => {})
      .finally(() => {
        if (this.#work === stop) this.#work = null;
      });
  }

  readonly #write = (event: StreamEvent): void => {
    const numbered = this.#log.append(event);
    // Whoever is told of the end may say the next thing.
    if (event.type === 'result') this.#work = null;
    for (const listener of this.#listeners) listener.event(numbered);
  };

  readonly #ask: Ask = (question, signal) =>
    new Promise((resolve) => {
      const { id, callId } = question;
      const patience = new AbortController();
      const end = (answer: AskAnswer): void => {
        if (!this.#open.delete(id)) return;
        patience.abort();
        signal.removeEventListener('abort', onAbort);
        if (answer !== 'none') this.#keep(id, callId, answer);
        for (const listener of this.#listeners) listener.settled(question);
        resolve(answer);
      };
      const onAbort = (): void => end('none');
      this.#open.set(id, { question, end });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#parts.clock.sleep(ANSWER_MS, patience.signal).then(
        () => end({ kind: 'no', why: 'nobody answered within an hour' }),
        () => {},
      );
      for (const listener of this.#listeners) listener.asked(question);
    });

  #keep(id: string, callId: string, answer: Exclude<AskAnswer, 'none'>): void {
    const kind = typeof answer === 'string' ? answer : answer.kind;
    for (const name of [id, callId]) this.#answered.set(name, kind !== 'no');
    for (const name of [...this.#answered.keys()].slice(0, -MOST_ANSWERED))
      this.#answered.delete(name);
  }
}

const isOf = ({ id, callId }: Asked, name: string): boolean =>
  id === name || (callId !== '' && callId === name);
