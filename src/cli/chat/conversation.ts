/**
 * A conversation at a terminal: what is typed, what waits and what is answered.
 *
 * 1. One message is worked on at a time; messages typed meanwhile wait in order.
 * 2. Ctrl+C ends the current answer, else clears the typed text; a second one leaves.
 * 3. However it ends, the terminal is restored and the session closed.
 */

import type { LiveHooks } from '../../host/live/live-work.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import type { SessionEvent } from '../../schema/events/events.ts';
import { AT_TERMINAL } from '../../schema/journal/permissions.ts';
import { messageFault } from '../../sessions/options.ts';
import type { Session } from '../../sessions/session.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { permissionLine } from '../render/records/permissions.ts';
import type { Style } from '../render/text/style.ts';
import { InputLine } from '../screen/input-line.ts';
import { explainError } from '../show-error.ts';
import { withoutAttachments } from './attached.ts';
import { ConversationScreen } from './conversation-screen.ts';
import { endsSession } from './ends-session.ts';
import { notSent, usageText } from './lines.ts';
import { offersIn } from './offers.ts';
import { ownCommandsIn } from './own-commands.ts';
import { type SlashPlace, slashIn } from './slash.ts';
import { OWN_NAMES } from './slash-table.ts';
import { shellLineIn, type TakePort, takeTyped } from './take-typed.ts';

export interface ConversationParts {
  readonly context: CommandContext;
  readonly style: Style;
  /** Opens the session; its events go to `observe`. */
  open(conversation: TerminalConversation): Promise<Session>;
  /** Gives up a session that is still being opened; called when the person leaves. */
  giveUp(): void;
  /** Opens the session that replaces another. */
  clear(before: Session, it: TerminalConversation, signal: AbortSignal): Promise<Session>;
  switchModel(
    ...[before, model, it, signal]: [Session, string, TerminalConversation, AbortSignal]
  ): Promise<Session>;
}

const LEAVES_WITHIN_MS = 2_000;

export class TerminalConversation {
  readonly #parts: ConversationParts;
  readonly #screen: ConversationScreen;
  readonly #input: InputLine;
  readonly #listening: (() => void)[] = [];
  #session: Session | null = null;
  #queue: string[] = [];
  #work: AbortController | null = null;
  #pressedAt = Number.NEGATIVE_INFINITY;
  #hasLeft = false;
  #wake: () => void = () => {};

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const { terminal, invocation } = parts.context;
    this.#input = new InputLine({
      offers: offersIn(
        parts.context,
        () => this.#session,
        () => this.#offered(),
      ),
    });
    this.#screen = new ConversationScreen({
      ...{ terminal, style: parts.style, input: this.#input },
      isDebug: verbosityOf(invocation) === 'debug',
      showsThoughts: invocation.showThinking === true,
      notifies: parts.context.configured.begin.notify !== false,
      queued: () => this.#queue,
      isWorking: () => this.#work !== null,
      changeMade: (change) => this.#session?.changeMade(change) ?? null,
      sent: (message) => {
        this.#queue.push(message);
        this.#wake();
      },
      interrupt: () => this.#interrupt(),
      leave: () => this.#leave(),
      typed: () => {
        this.#pressedAt = Number.NEGATIVE_INFINITY;
      },
    });
  }

  /** Resolves when the person leaves. */
  async hold(): Promise<void> {
    this.#listen();
    try {
      // Text typed meanwhile waits.
      this.#screen.stage.open();
      this.#session = await this.#parts.open(this);
      for (const fault of ownCommandsIn(this.#parts.context, OWN_NAMES).faults)
        this.#screen.note(fault, 'warning');
      this.#input.remember(this.#session.personMessages().map(withoutAttachments));
      await this.#goOn();
      while (!this.#hasLeft) {
        const message = this.#queue.shift();
        if (message === undefined) await this.#typed();
        else await takeTyped(message, { ...this.#parts, screen: this.#screen, ...this.#taking });
      }
    } finally {
      for (const stop of this.#listening.splice(0)) stop();
      this.#screen.stage.close();
      this.#giveBack();
      await this.#session?.close();
    }
  }

  readonly observe = (event: SessionEvent): void => {
    if (event.type === 'permissions') this.#screen.note(permissionLine(event));
    this.#screen.observe(event);
  };

  /** The messages and commands that another terminal may send. */
  readonly elsewhere: LiveHooks = {
    send: (text) => {
      const fault = this.#hasLeft ? 'The conversation is closing.' : messageFault(text)?.message;
      if (fault !== undefined) return refused(fault);
      if (slashIn(text) !== null || shellLineIn(text) !== null)
        return refused('Type commands where the conversation is open.');
      this.#screen.note('A message from another terminal:');
      this.#queue.push(text);
      this.#wake();
      return { how: 'taken' };
    },
    pause: () => {
      if (this.#work === null) return refused('No message is under way.');
      this.#screen.note('Stopped from another terminal.');
      this.#screen.begins('stopping');
      this.#work.abort();
      return { how: 'taken' };
    },
  };

  /** Gives keys and screen to a question until it is released. */
  readonly giveTerminal = (): (() => void) => this.#screen.stage.hold();

  /** The same for a question of the conversation itself, during which Ctrl+C still counts. */
  readonly giveToQuestion = (): (() => void) => this.#screen.holdForQuestion();

  /** Prints a log line that its owner has formatted. */
  readonly log = (line: string): void =>
    this.#screen.stage.write(this.#parts.context.terminal.stderr, [line]);

  note(text: string): void {
    this.#screen.note(text);
  }

  show(rows: readonly string[]): void {
    if (rows.length > 0) this.#screen.show(rows.join('\n'));
  }

  get #open(): Session {
    if (this.#session === null) throw new Error('The conversation is not open.');
    return this.#session;
  }

  /** Refreshes the menu: there is more to offer than at the last key. */
  #offered(): void {
    if (this.#hasLeft) return;
    this.#input.refresh();
    this.#screen.stage.draw();
  }

  #listen(): void {
    const { terminal } = this.#parts.context;
    this.#listening.push(
      terminal.onSignal('SIGINT', () => this.#screen.takesInterrupt && this.#interrupt()),
      terminal.onSignal('SIGTERM', () => this.#leave()),
      terminal.onSignal('SIGHUP', () => this.#leave()),
    );
  }

  #now = (): number => this.#parts.context.terminal.clock.monotonic();

  /** Resolves when there is something to do. */
  #typed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #interrupt(): void {
    const isSecond = this.#now() - this.#pressedAt < LEAVES_WITHIN_MS;
    this.#pressedAt = this.#now();
    if (isSecond) this.#leave();
    else if (this.#work !== null) {
      this.#screen.begins('stopping');
      this.#work.abort();
    } else if (this.#screen.isAsking) this.#leave();
    else if (!this.#input.isEmpty) this.#input.clear();
    else if (!this.#hasLeft) this.#screen.note('Press Ctrl+C again, or Ctrl+D, to leave.');
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#parts.giveUp();
    this.#work?.abort();
    this.#wake();
  }

  async #goOn(): Promise<void> {
    if (!this.#open.isOpen || this.#hasLeft) return;
    const isCommand = this.#open.state.chat.open?.command !== undefined;
    if (!isCommand) this.#screen.note('Continuing with the message that was not answered yet.');
    await this.#working((signal) => this.#open.goOn({ signal }));
  }

  readonly #taking: TakePort = {
    session: () => this.#open,
    place: (signal, said) => this.#place(signal, said),
    quietly: (work) => this.#quietly(work),
    working: (work) => this.#working(work),
    hasLeft: () => this.#hasLeft,
  };

  #place(signal: AbortSignal, said: string[]): SlashPlace {
    const { context, clear, switchModel } = this.#parts;
    return {
      ...{ context, signal, giver: AT_TERMINAL },
      runInterruptibly: interruptibleRunner(context.terminal.clock, signal),
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
      toggleThoughts: () => this.#screen.toggleThoughts(),
      clear: async () => {
        this.#session = await clear(this.#open, this, signal);
        const { program } = this.#parts.context.terminal;
        const kept = `the one before is kept: ${program} sessions`;
        this.#screen.note(`A new conversation has begun; ${kept}`);
      },
      switchModel: async (name) => {
        this.#session = await switchModel(this.#open, name, this, signal);
        const { settings } = this.#open.state;
        this.#screen.note(`Continuing with ${settings?.provider ?? ''} ${settings?.model ?? ''}.`);
      },
      leave: () => this.#leave(),
    };
  }

  async #working(work: (signal: AbortSignal) => ReturnType<Session['goOn']>): Promise<void> {
    const { style } = this.#parts;
    const begun = this.#now();
    await this.#quietly(async (signal) => {
      this.#screen.begins('waiting for the model');
      const sent = await work(signal);
      await this.#screen.allShown();
      this.#screen.endAnswer();
      this.#screen.stage.call('The reply is ready.');
      if (sent === null) return;
      const { state, contextTokens } = this.#open;
      const elapsed = this.#now() - begun;
      this.#screen.note(usageText(sent.usage, state, contextTokens, elapsed, style.glyphs));
    });
  }

  showFailure(error: unknown): void {
    const { program } = this.#parts.context.terminal;
    const { message, ...next } = explainError(error, program);
    this.#screen.note(`${message} ${nextStepText(next, program)}`.trim(), 'warning');
  }

  /** A failure in one message ends that message only, unless the session itself cannot continue. */
  async #quietly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#work = stop;
    this.#screen.begins('');
    try {
      await work(stop.signal);
    } catch (error) {
      if (endsSession(error) || this.#session?.isClosed === true) throw error;
      this.showFailure(error);
    } finally {
      this.#work = null;
      this.#screen.endAnswer();
      this.#screen.stage.draw();
    }
  }

  /** Returns typed but unsent text to the person. */
  #giveBack(): void {
    for (const text of [...this.#queue, this.#input.draft.text])
      this.#parts.context.terminal.stderr.write(notSent(text));
  }
}

const refused = (why: string): ReturnType<LiveHooks['send']> => ({ how: 'refused', why });
