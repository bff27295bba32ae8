/**
 * Owns the keyboard while a screen is open. Invariants:
 * 1. Nothing typed while it is open reaches the shell: it is read here.
 * 2. The terminal is restored after `close`, however often that is called, and when the process ends.
 */
import type { Terminal } from '../process/terminal.ts';
import { type Attention, FOCUS_OFF, FOCUS_ON } from './attention.ts';
import { type Key, NOTHING_PRESSED, parseKeys } from './keys.ts';

export interface Keyboard {
  /** Reads keys from now on, if the terminal is ours. */
  open(): void;
  close(): void;
  /** Sets the terminal mode again after something else used the terminal. */
  reopen(): void;
}

export interface KeyboardParts {
  readonly terminal: Pick<Terminal, 'readKeys' | 'draw' | 'onExit'>;
  isForeground(): boolean;
  readonly attention: Attention;
  /** Receives the keys of one read together, so that a paste is drawn once. */
  read(keys: readonly Key[]): void;
}

/** Makes the terminal mark pastes. */
const MARKS_ON = '\u001b[?2004h';
const MARKS_OFF = '\u001b[?2004l';

export function createKeyboard({
  terminal,
  isForeground,
  attention,
  read,
}: KeyboardParts): Keyboard {
  let leave: (() => void) | null = null;
  let state = NOTHING_PRESSED;
  const open = (): void => {
    if (leave !== null || terminal.readKeys === null || !isForeground()) return;
    const putBack = terminal.readKeys((text) => {
      const found = parseKeys(state, attention.read(text));
      state = found.state;
      read(found.keys);
    });
    const forget = terminal.onExit(close);
    leave = () => {
      forget();
      putBack();
    };
    terminal.draw(attention.isWanted ? MARKS_ON + FOCUS_ON : MARKS_ON);
  };
  const close = (): void => {
    const left = leave;
    leave = null;
    if (left === null) return;
    // The end of a paste or of a sequence goes to the next reader.
    state = { ...state, ...NOTHING_PRESSED };
    terminal.draw(attention.isWanted ? FOCUS_OFF + MARKS_OFF : MARKS_OFF);
    left();
  };
  const reopen = (): void => {
    // In the background the terminal must not be touched, not even to restore it.
    if (leave === null || !isForeground()) return;
    close();
    open();
  };
  return { open, close, reopen };
}
