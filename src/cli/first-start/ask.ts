/** Asks for a choice among numbered lines, and for a secret that is typed without being shown. */

import type { Terminal } from '../process/terminal.ts';
import { pressedKey, quietKeys, untilSettled } from '../questions/quiet-keys.ts';
import { printFolded } from '../render/text/fold.ts';
import { inLine } from '../render/text/text.ts';

export interface Choosing {
  readonly terminal: Pick<Terminal, 'stderr' | 'clock' | 'keys'>;
  readonly signal: AbortSignal;
}

export interface ListedChoice {
  readonly text: string;
}

const MAX = 9;
const NOTHING = new Set(['n', 'N', '\r', '\n', '\u001b', '\u0004']);
const BACKSPACES = new Set(['\u007f', '\b']);

/** Resolves with `null` for no choice, and if the signal ends it. @param notes lines below the choices */
export async function askWhich<One extends ListedChoice>(
  { terminal, signal }: Choosing,
  question: string,
  ways: readonly One[],
  notes: readonly string[] = [],
): Promise<One | null> {
  const shown = ways.slice(0, MAX);
  const lines = [
    question,
    ...shown.map(({ text }, index) => `  ${index + 1}  ${inLine(text)}`),
    '  n  nothing now (Enter)',
    ...notes.map(inLine),
  ];
  printFolded(terminal.stderr, `${lines.join('\n')}\n`);
  terminal.stderr.write('> ');
  return await untilSettled<One>(signal, (settle) =>
    quietKeys(terminal, (key, isQuiet) => {
      if (!isQuiet) return;
      const pressed = pressedKey(key);
      const one = shown[Number(pressed) - 1];
      if (one === undefined && !NOTHING.has(pressed)) return;
      terminal.stderr.write(`${one === undefined ? 'nothing now' : pressed}\n`);
      settle(one ?? null);
    }),
  );
}

/** One line without surrounding white space; `null` for Escape, Ctrl+D and an empty line. */
export async function askSecret(
  { terminal, signal }: Choosing,
  question: string,
): Promise<string | null> {
  terminal.stderr.write(question);
  let typed = '';
  return await untilSettled<string>(signal, (settle) => {
    const stop = terminal.keys?.((keys) => {
      for (const key of keys) {
        const isEnd = key === '\r' || key === '\n';
        if (isEnd || key === '\u001b' || key === '\u0004') {
          terminal.stderr.write('\n');
          settle(isEnd ? typed.trim() || null : null);
          return;
        }
        typed = BACKSPACES.has(key) ? typed.slice(0, -1) : typed + key;
      }
    });
    return () => stop?.();
  });
}
