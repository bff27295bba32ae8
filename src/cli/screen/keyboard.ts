/**
 * Owns the keyboard while a conversation is open. Invariants:
 * 1. Nothing that is typed while it is open reaches the shell.
 * 2. The terminal is as it was after `close`, however often it is called, and when the process ends.
 */
import type { Terminal } from '../terminal.ts';
import { type Key, NO_KEYS, readKeys } from './keys.ts';

export interface Keyboard {
  open(): void;
  close(): void;
}

const MARKS_ON = '\u001b[?2004h';
const MARKS_OFF = '\u001b[?2004l';

/** @param read told of the keys of one read together, so that a paste is drawn once */
export function openKeyboard(
  terminal: Pick<Terminal, 'readKeys' | 'onExit'>,
  draw: (text: string) => void,
  read: (keys: readonly Key[]) => void,
): Keyboard {
  let leave: (() => void) | null = null;
  let state = NO_KEYS;
  const close = (): void => {
    const left = leave;
    leave = null;
    if (left === null) return;
    draw(MARKS_OFF);
    left();
  };
  return {
    open: () => {
      if (leave !== null || terminal.readKeys === null) return;
      const putBack = terminal.readKeys((text) => {
        const found = readKeys(state, text);
        state = found.state;
        read(found.keys);
      });
      const forget = terminal.onExit(close);
      leave = () => {
        forget();
        putBack();
      };
      draw(MARKS_ON);
    },
    close,
  };
}
