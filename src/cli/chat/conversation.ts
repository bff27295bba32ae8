/**
 * A conversation at a terminal: what is typed, what waits, and what is answered.
 *
 * 1. One message is worked on at a time; what is typed meanwhile waits in order.
 * 2. Ctrl+C ends the answer under way, else clears what is typed; a second one leaves.
 * 3. However it ends, the terminal is as it was, and the session is closed.
 */
import type { Session } from '../../chat/session.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { pausesOf } from '../../lib/pieces.ts';
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { CommandContext } from '../command-context.ts';
import { cellsOf } from '../render/cells.ts';
import type { Style } from '../render/style.ts';
import { oneLine } from '../render/text.ts';
import { InputLine } from '../screen/input-line.ts';
import type { Key } from '../screen/keys.ts';
import { Stage } from '../screen/stage.ts';
import { explainError } from '../show-error.ts';
import { activityLines, activityOf, recordText, usageText } from './activity.ts';
import { type SlashPlace, slashIn, unknownSlash } from './slash.ts';
import { SLASH } from './slash-table.ts';

export interface ConversationParts {
  readonly context: CommandContext;
  readonly style: Style;
  /** Opens the session; what it tells goes to `observe`. */
  open(conversation: Conversation): Promise<Session>;
  /** Nobody waits any more for a session that is being opened. */
  giveUp(): void;
  /** Opens the one that takes the place of another. */
  clear(before: Session, conversation: Conversation): Promise<Session>;
  switchModel(before: Session, name: string, conversation: Conversation): Promise<Session>;
}

/** What was cut off by a stop has no turn of its own. */
const ENDS_ANSWER: ReadonlySet<string> = new Set(['turn_finished', 'message_ended']);

const SPIN_MS = 120;
const LEAVES_WITHIN_MS = 2_000;

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #stage: Stage;
  readonly #screen: Stage['screen'];
  readonly #input: InputLine;
  #session: Session | null = null;
  #queue: string[] = [];
  #activity = '';
  #since = 0;
  #work: AbortController | null = null;
  #pressedAt = Number.NEGATIVE_INFINITY;
  #hasLeft = false;
  #wake: () => void = () => {};

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const { terminal, invocation } = parts.context;
    const names = Object.keys(SLASH).map((name) => `/${name}`);
    this.#input = new InputLine(names, invocation.workspace);
    this.#stage = new Stage({
      ...{ terminal, style: parts.style },
      view: () => ({
        activity: this.#activityText(),
        draft: this.#input.draft,
        queued: this.#queue,
        choices: this.#input.choices,
      }),
      press: (key) => this.#press(key),
      interrupt: () => this.#interrupt(),
      leave: () => this.#leave(),
      isMoving: () => this.#work !== null,
    });
    this.#screen = this.#stage.screen;
  }

  /** Until the person leaves. */
  async hold(): Promise<void> {
    this.#stage.listen();
    try {
      // What is typed meanwhile waits.
      this.#stage.open();
      this.#session = await this.#parts.open(this);
      this.#input.remember(this.#session.said());
      await this.#goOn();
      while (!this.#hasLeft) {
        const message = this.#queue.shift();
        if (message === undefined) await this.#typed();
        else await this.#take(message);
      }
    } finally {
      this.#stage.close();
      this.#giveBack();
      await this.#session?.close();
    }
  }

  /** What the session tells. */
  readonly observe = (event: SessionEvent): void => {
    const { glyphs } = this.#parts.style;
    const activity = activityOf(event);
    if (activity !== null && activity !== this.#activity) this.#begins(activity);
    if (event.type === 'text') this.#screen.answer(event.text);
    else if (event.type === 'record' && ENDS_ANSWER.has(event.record.type))
      this.#screen.endAnswer();
    for (const { text, tone } of activityLines(event, glyphs)) this.#screen.note(text, tone);
    const isDebug = this.#parts.context.invocation.verbosity === 'debug';
    if (isDebug && event.type === 'record') this.#screen.note(recordText(event.record));
  };

  /** For a question to the person: keys and screen are somebody else's until it is released. */
  readonly giveTerminal = (): (() => void) => this.#stage.hold();

  readonly log = (line: string): void => this.#screen.log(line);

  note(text: string): void {
    this.#screen.note(text);
  }

  get #open(): Session {
    if (this.#session === null) throw new Error('The conversation is not open.');
    return this.#session;
  }

  #begins(activity: string): void {
    this.#activity = activity;
    this.#since = this.#now();
    this.#screen.draw();
  }

  #now = (): number => this.#parts.context.terminal.clock.monotonic();

  #activityText(): string {
    if (this.#work === null || this.#activity === '') return '';
    const { glyphs } = this.#parts.style;
    const seconds = Math.floor((this.#now() - this.#since) / 1000);
    const frames = glyphs.spinner;
    const spin = frames[Math.floor(this.#now() / SPIN_MS) % frames.length] ?? '';
    const time = seconds > 0 ? ` ${seconds} s` : '';
    const what = `${spin} ${this.#activity}${time}`;
    const whole = `${what} ${glyphs.dot} Ctrl+C stops it`;
    // What has no room is left out, and no word is cut.
    return cellsOf(whole) < this.#parts.context.terminal.stdout.size().columns ? whole : what;
  }

  /** Resolves when there is something to do. */
  #typed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #press(key: Key): void {
    if (key.kind !== 'interrupt') this.#pressedAt = Number.NEGATIVE_INFINITY;
    switch (key.kind) {
      case 'enter':
        this.#enter();
        break;
      case 'interrupt':
        this.#interrupt();
        break;
      case 'end_of_input':
        if (this.#input.isEmpty) this.#leave();
        break;
      case 'suspend':
        this.#stage.suspend();
        break;
      default:
        this.#input.press(key);
    }
  }

  #enter(): void {
    const message = this.#input.enter();
    if (message === null) return;
    this.#queue.push(message);
    this.#wake();
  }

  #interrupt(): void {
    const isSecond = this.#now() - this.#pressedAt < LEAVES_WITHIN_MS;
    this.#pressedAt = this.#now();
    if (isSecond) this.#leave();
    else if (this.#work !== null) {
      this.#begins('stopping');
      this.#work.abort();
    } else if (!this.#input.isEmpty) this.#input.clear();
    else this.#screen.note('Press Ctrl+C again, or Ctrl+D, to leave.');
  }

  #leave(): void {
    this.#hasLeft = true;
    if (this.#session === null) this.#parts.giveUp();
    this.#work?.abort();
    this.#wake();
  }

  async #goOn(): Promise<void> {
    if (!this.#open.isOpen) return;
    this.#screen.note('Going on with the message that was not answered yet.');
    await this.#working((signal) => this.#open.goOn({ signal }));
  }

  async #take(message: string): Promise<void> {
    const first = oneLine(message.split('\n')[0] ?? '');
    const more = message.includes('\n') ? ` (${message.split('\n').length} lines)` : '';
    this.#screen.show(this.#parts.style.paint('strong', `> ${first}${more}`));
    const slash = slashIn(message);
    if (slash === null) {
      await this.#working((signal) => this.#open.send(message, { signal }));
      return;
    }
    const command = Object.hasOwn(SLASH, slash.name) ? SLASH[slash.name] : undefined;
    if (command === undefined) {
      this.#screen.note(unknownSlash(slash.name), 'warning');
      return;
    }
    const said: string[] = [];
    await this.#quietly(async (signal) => {
      await command.run(slash.text, this.#place(signal, said));
    });
    if (!this.#hasLeft) this.#open.note(slash.name, slash.text, said.join('\n'));
  }

  #place(signal: AbortSignal, said: string[]): SlashPlace {
    const { context, clear, switchModel } = this.#parts;
    return {
      context,
      signal,
      inPieces: pausesOf(context.terminal.clock, signal),
      session: () => this.#open,
      say: (text) => {
        said.push(text);
        this.#screen.note(text, 'plain');
      },
      show: (text) => {
        said.push(text);
        this.#screen.show(text);
      },
      hold: this.giveTerminal,
      clear: async () => {
        this.#session = await clear(this.#open, this);
        this.#screen.note('A new conversation has begun; the one before is kept: agent sessions');
      },
      switchModel: async (name) => {
        this.#session = await switchModel(this.#open, name, this);
        const { settings } = this.#open.state;
        this.#screen.note(`Going on with ${settings?.provider ?? ''} ${settings?.model ?? ''}.`);
      },
      leave: () => this.#leave(),
    };
  }

  async #working(work: (signal: AbortSignal) => ReturnType<Session['goOn']>): Promise<void> {
    const { style } = this.#parts;
    const begun = this.#now();
    await this.#quietly(async (signal) => {
      this.#begins('waiting for the model');
      const sent = await work(signal);
      this.#screen.endAnswer();
      if (sent === null) return;
      const { state, contextTokens } = this.#open;
      const elapsed = this.#now() - begun;
      this.#screen.note(usageText(sent.usage, state, contextTokens, elapsed, style.glyphs));
    });
  }

  /** What goes wrong in one message ends that message, unless the session itself cannot go on. */
  async #quietly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#work = stop;
    this.#begins('');
    try {
      await work(stop.signal);
    } catch (error) {
      if (endsSession(error)) throw error;
      const { message, hint } = explainError(error);
      this.#screen.note(`${message} ${hint}`.trim(), 'warning');
    } finally {
      this.#work = null;
      this.#screen.endAnswer();
      this.#screen.draw();
    }
  }

  /** What was typed and not sent is the person's. */
  #giveBack(): void {
    const unsent = [...this.#queue, this.#input.draft.text].filter((text) => text.trim() !== '');
    const { stderr } = this.#parts.context.terminal;
    for (const text of unsent)
      stderr.write(`Not sent: ${text.split('\n').map(oneLine).join('\n')}\n`);
  }
}

/** After these nothing more can be journalled. */
const FATAL: ReadonlySet<string> = new Set(['E_IO', 'E_FENCED', 'E_STATE_GONE', 'E_INTERNAL']);

const endsSession = (error: unknown): boolean =>
  error instanceof TardigradeError ? FATAL.has(error.code) : explainError(error).isInternal;
