/**
 * One conversation that an editor holds open.
 *
 * 1. One prompt is worked on at a time; a setting changed meanwhile takes effect once it has ended.
 * 2. A message that a crash interrupted is finished before the next one is sent.
 */
import type {
  ContentBlock,
  SessionConfigOption,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import { type MessageEvents, messageEvents } from '../../host/library/message-events.ts';
import { breather } from '../../lib/clock.ts';
import { misuse } from '../../lib/errors.ts';
import { type Ask, safeAsk } from '../../round/permission/answer.ts';
import { askPlanBy } from '../../round/plan/plan-question.ts';
import { createNarrator } from '../../run/stream/narrator.ts';
import { costSince } from '../../run/stream/result-body.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { Sent } from '../../sessions/sent.ts';
import type { Session } from '../../sessions/session.ts';
import type { Settable } from './config-options.ts';
import {
  type CommandCall,
  type Editor,
  type EditorPlace,
  interruptionFor,
  type NamedServers,
} from './contract.ts';
import { editShown } from './edit-shown.ts';
import { EditorTalk } from './editor-talk.ts';
import { answerBy, askedOf, fenced } from './permission.ts';
import { promptIn } from './prompt-text.ts';
import { stopReason } from './stop-reason.ts';
import { ToolCalls } from './tool-calls.ts';
import { messageChunk, noteChunk, Updates } from './updates.ts';

interface Parts {
  readonly place: EditorPlace;
  /** @param session its id */
  editor(session: string): Editor;
}

const BUSY = misuse(
  'This conversation is still working on a prompt.',
  'Wait for it, or cancel it.',
);
const CUT_OFF =
  'This message was cut off. Your next one goes on with it first; /continue does that alone.';
const LONGEST_TITLE = 80;
const AS_IT_COMES = { isReplay: false, isRun: false };

export class EditorSession {
  readonly at: NamedServers;
  readonly #parts: Parts;
  readonly #teller: MessageEvents;
  readonly #talk: EditorTalk;
  #calls: ToolCalls;
  #updates: Updates;
  #work: AbortController | null = null;
  #worked: Promise<unknown> = Promise.resolve();
  #runs = 0;

  constructor(parts: Parts, at: NamedServers) {
    this.#parts = parts;
    this.at = at;
    this.#teller = messageEvents(at.workspace, () => parts.place.clock.monotonic());
    this.#talk = new EditorTalk({
      place: parts.place,
      at,
      observe: this.#teller.observe,
      ask: this.#askWith(() => this.#calls, 'conversation'),
      pause: () => {
        this.cancel('stopped from another terminal');
        return this.#work !== null;
      },
    });
    this.#calls = this.#callsOf('', null);
    this.#updates = this.#updatesOf(this.#calls, AS_IT_COMES);
  }

  /** Rejects with the error of opening it. @param session its id; `null`: a new one */
  async open(session: string | null): Promise<void> {
    await this.#talk.open(session);
    // Numbers of calls continue after those of an earlier process.
    this.#calls = this.#callsOf(`${this.session.state.seq}-`, this.id);
    this.#updates = this.#updatesOf(this.#calls, AS_IT_COMES);
  }

  get id(): string {
    return this.session.id;
  }

  get session(): Session {
    return this.#talk.session;
  }

  get options(): SessionConfigOption[] {
    return this.#talk.options;
  }

  set models(models: readonly string[]) {
    this.#talk.models = models;
  }

  /** Sends everything that was said, as if it arrived now. */
  async replay(): Promise<void> {
    const { session } = this;
    const calls = this.#callsOf('r', session.id);
    const updates = this.#updatesOf(calls, { ...AS_IT_COMES, isReplay: true });
    const breath = breather(this.#parts.place.clock);
    const span = { from: 1, to: session.state.seq };
    for (const event of this.#teller.eventsOf(session, span)) {
      this.#send(updates.of(event));
      await breath();
    }
    // Work in progress is not cut off.
    if (this.#work !== null) return;
    this.#send(calls.leftOpen());
    if (session.isOpen) this.#send([noteChunk(CUT_OFF)]);
  }

  /** Throws, and rejects, with an error for the person. */
  prompt(blocks: readonly ContentBlock[]): Promise<StopReason> {
    if (this.#work !== null) throw BUSY;
    const sent = promptIn(blocks, this.at.workspace, this.#parts.place.fs.platform);
    const stop = new AbortController();
    this.#work = stop;
    const done = this.#prompted(sent, stop.signal).finally(() => {
      this.#work = null;
      this.#send(this.#calls.leftOpen());
    });
    this.#worked = done.catch(() => {});
    return done;
  }

  cancel(why: string): void {
    this.#work?.abort(interruptionFor(why));
  }

  /** Rejects if the conversation cannot continue with the change; it then continues as before. */
  async set(change: Settable): Promise<void> {
    await this.#worked;
    await this.#talk.change(change);
  }

  async close(why: string): Promise<void> {
    this.cancel(why);
    await this.#worked;
    await this.#talk.close();
  }

  async #prompted(
    { text, images }: ReturnType<typeof promptIn>,
    signal: AbortSignal,
  ): Promise<StopReason> {
    await this.#talk.getReady((asked) => this.#editor.choose(asked, signal), signal);
    if (signal.aborted) return 'cancelled';
    const command = this.#parts.place.commandIn(text);
    if (command !== null) return this.#command(command, signal);
    if (this.session.isOpen) {
      const reason = await this.#message(() => this.session.finish({ signal }));
      if (reason === 'cancelled') return reason;
    }
    if (this.session.state.chat.messages === 0) {
      const [line = ''] = text.trim().split('\n', 1);
      const title = line.slice(0, LONGEST_TITLE);
      this.#send([{ sessionUpdate: 'session_info_update', title }]);
    }
    return this.#message(() => this.session.send(text, { signal, images }));
  }

  async #message(work: () => Promise<Sent>): Promise<StopReason> {
    const write = (event: StreamEvent): void => this.#send(this.#updates.of(event));
    const outcome = await this.#teller.message(this.session, write, work);
    return stopReason(outcome, this.session.state);
  }

  async #command(
    { name, text }: { readonly name: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<StopReason> {
    const said: string[] = [];
    const tell = (words: string, shown: string): void => {
      said.push(words);
      this.#send([messageChunk(`${shown}\n\n`)]);
    };
    const say = (words: string): void => tell(words, words);
    if (name === 'continue') {
      if (this.session.isOpen) return this.#message(() => this.session.finish({ signal }));
      say('Nothing was cut off.');
      return 'end_turn';
    }
    await this.#parts.place.command({
      name,
      text,
      at: this.at,
      signal,
      say,
      run: this.#runWatch(),
      session: () => this.session,
      show: (words) => tell(words, fenced(words.trimEnd())),
      switchModel: (model) => this.#switched(model),
    });
    this.session.note(name, text, said.join('\n'));
    return signal.aborted ? 'cancelled' : 'end_turn';
  }

  async #switched(model: string): Promise<void> {
    await this.#talk.change({ model });
    this.#send([{ sessionUpdate: 'config_option_update', configOptions: this.options }]);
  }

  /** Follows a run in the conversation: its plan, its calls and its questions. */
  #runWatch(): CommandCall['run'] {
    this.#runs += 1;
    const calls = this.#callsOf(`${this.session.state.seq}-run${this.#runs}-`, null);
    const updates = this.#updatesOf(calls, { ...AS_IT_COMES, isRun: true });
    const narrator = createNarrator({ workspace: this.at.workspace }, (event) =>
      this.#send(updates.of(event)),
    );
    const ask = this.#askWith(() => calls, 'run');
    return {
      ask,
      // The editor says yes or no; the text of a plan can only be edited at a terminal.
      askPlan: askPlanBy(
        safeAsk(ask, () => {}),
        this.id,
      ),
      emit: (event) => {
        narrator.emit(event);
        // A run that continues has a plan that no event repeats.
        if (event.type === 'begun' && event.state.plan !== null)
          this.#send([updates.planOf(event.state.plan)]);
      },
    };
  }

  #askWith(calls: () => ToolCalls, work: string): Ask {
    return async (question, signal) => {
      const call = calls().idOf(question.callId, question.id);
      const chosen = await this.#editor.choose(askedOf(question, call, work), signal);
      return answerBy(chosen, question);
    };
  }

  #send(updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.#editor.update(update);
  }

  get #editor(): Editor {
    return this.#parts.editor(this.id);
  }

  #callsOf(prefix: string, session: string | null): ToolCalls {
    const { fs, clock } = this.#parts.place;
    const { workspace } = this.at;
    return new ToolCalls(
      {
        workspace,
        platform: fs.platform,
        monotonic: () => clock.monotonic(),
        editOf: (change) => editShown(change, { fs, workspace, session }),
      },
      prefix,
    );
  }

  #updatesOf(calls: ToolCalls, about: { readonly isReplay: boolean; readonly isRun: boolean }) {
    return new Updates({
      calls,
      isReplay: about.isReplay,
      hasNotices: () => this.#editor.hasNotices,
      usage: () => (about.isRun ? null : this.#usage()),
    });
  }

  #usage(): SessionUpdate | null {
    const { state, contextTokens } = this.session;
    const size = state.settings?.numCtx ?? 0;
    const { costUsd: cost } = costSince(undefined, state.usage.cost);
    if (size === 0) return null;
    return {
      sessionUpdate: 'usage_update',
      used: contextTokens,
      size,
      ...(cost === null ? {} : { cost: { amount: cost, currency: 'USD' } }),
    };
  }
}
