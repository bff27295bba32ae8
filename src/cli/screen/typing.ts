import type { Inbox, Taken } from '../../schema/inbox.ts';
import type { Terminal } from '../terminal.ts';
import { type Key, NO_KEYS, readKeys } from './keys.ts';
import { typed } from './line.ts';

/**
 * Owns the keyboard while a run works. Invariants:
 * 1. Nothing that is typed while it is open reaches the shell: it is read here.
 * 2. A line is handed over when Enter was pressed, never by a paste; what nobody takes stays here.
 * 3. The terminal is as it was after `close`, however often it is called, and when the process ends.
 */
export interface Typing {
  readonly inbox: Inbox;
  /** Reads keys from now on, where the terminal is ours. */
  open(): void;
  close(): void;
  /** Sets the keyboard again, where somebody else had it meanwhile. */
  reopen(): void;
  /** What is typed and not handed over yet, line by line; the last one is not ended. */
  unsent(): { readonly lines: readonly string[]; readonly line: string };
}

export interface TypingPorts {
  readonly terminal: Pick<Terminal, 'readKeys' | 'draw' | 'onExit'>;
  isForeground(): boolean;
  /** Told of every change that is to be seen. */
  changed(): void;
  /** Why a line was not taken. */
  refused(why: Exclude<Taken, 'kept' | 'empty'>): void;
  interrupt(): void;
  suspend(): void;
}

/** What the terminal marks pastes with. */
const MARKS_ON = '\u001b[?2004h';
const MARKS_OFF = '\u001b[?2004l';

export const createTyping = (ports: TypingPorts): Typing => new Keyboard(ports);

class Keyboard implements Typing {
  readonly inbox: Inbox;
  readonly #ports: TypingPorts;
  #take: ((line: string) => Taken) | null = null;
  #leave: (() => void) | null = null;
  #keys = NO_KEYS;
  #line = '';
  #held: string[] = [];

  constructor(ports: TypingPorts) {
    this.#ports = ports;
    this.inbox = {
      listen: (listener) => {
        this.#take = listener;
        this.#handOver();
        return () => {
          this.#take = null;
        };
      },
    };
  }

  open(): void {
    const { terminal, changed, isForeground } = this.#ports;
    if (this.#leave !== null || terminal.readKeys === null || !isForeground()) return;
    const putBack = terminal.readKeys((text) => {
      const read = readKeys(this.#keys, text);
      this.#keys = read.state;
      for (const key of read.keys) this.#press(key);
      changed();
    });
    const forget = terminal.onExit(() => this.close());
    this.#leave = () => {
      forget();
      putBack();
    };
    terminal.draw(MARKS_ON);
  }

  close(): void {
    const leave = this.#leave;
    this.#leave = null;
    if (leave === null) return;
    this.#ports.terminal.draw(MARKS_OFF);
    leave();
  }

  reopen(): void {
    // In the background the terminal must not be touched, not even to give it back.
    if (this.#leave === null || !this.#ports.isForeground()) return;
    this.close();
    this.open();
  }

  unsent(): { readonly lines: readonly string[]; readonly line: string } {
    return { lines: this.#held, line: this.#line };
  }

  #press(key: Key): void {
    if (key.kind === 'interrupt') this.#ports.interrupt();
    else if (key.kind === 'suspend') this.#ports.suspend();
    else if (key.kind !== 'enter') this.#line = typed(this.#line, key);
    else if (this.#line.trim() !== '') {
      this.#held.push(this.#line);
      this.#line = '';
      this.#handOver();
    }
  }

  #handOver(): void {
    if (this.#take === null) return;
    const lines = this.#held;
    this.#held = [];
    for (const text of lines) {
      const taken = this.#take(text);
      if (taken === 'kept' || taken === 'empty') continue;
      // What cannot be taken now is given back at the end.
      this.#held.push(text);
      this.#ports.refused(taken);
    }
  }
}
