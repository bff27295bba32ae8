import { once } from 'node:events';
import type { SignalName, Terminal } from './terminal.ts';

/**
 * Decides what a signal means. Invariants:
 * 1. The first signal only aborts: the write in progress ends and the run pauses itself. A Ctrl+C that `skips` accepts
 * does not count as a signal.
 * 2. The second signal restores the screen and ends the process at once.
 * 3. After `dispose` a signal has its usual effect again.
 */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Resolves at the first signal. */
  readonly stopped: Promise<unknown>;
  /** Ctrl+C, if the terminal delivers it as a key. */
  press(): void;
  dispose(): void;
}

export interface InterruptHandlers {
  /** Whether this Ctrl+C only skips something and does not stop the work. */
  skips?(): boolean;
  onFirst?(): void;
  /** Restores the screen and says how to resume; called just before the process ends. */
  onSecond?(): void;
}

const WHO: { readonly [Name in SignalName]?: string } = {
  SIGHUP: 'the window was closed',
  SIGTERM: 'another program asked it to end',
};

const interruption = (name: SignalName): Error =>
  Object.assign(new Error(WHO[name] ?? 'stopped by the user'), { name: 'Interruption' });

export function listenForInterrupt(
  terminal: Pick<Terminal, 'onSignal' | 'exitNow' | 'platform'>,
  exitCode: number,
  handlers: InterruptHandlers = {},
): Interrupt {
  const controller = new AbortController();
  const listener = (name: SignalName) => () => {
    const isOpen = !controller.signal.aborted;
    if (isOpen && name === 'SIGINT' && handlers.skips?.()) return;
    if (isOpen) {
      controller.abort(interruption(name));
      handlers.onFirst?.();
      return;
    }
    try {
      handlers.onSecond?.();
    } finally {
      terminal.exitNow(exitCode);
    }
  };
  const names: SignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  if (terminal.platform === 'win32') names.push('SIGBREAK');
  const removers = names.map((name) => terminal.onSignal(name, listener(name)));
  return {
    signal: controller.signal,
    stopped: once(controller.signal, 'abort'),
    press: listener('SIGINT'),
    dispose: () => {
      for (const remove of removers.splice(0)) remove();
    },
  };
}
