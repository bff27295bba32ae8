import { AsRun } from '../../live/as-run.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { createRenderer } from '../render/renderer.ts';
import type { AttachedScreen, AttachedScreenPort } from './attached-screen.ts';

export function showRun(
  { terminal, invocation, engine }: CommandContext,
  port: AttachedScreenPort,
): AttachedScreen {
  const screen = createRenderer(terminal, {
    verbosity: verbosityOf(invocation),
    isMixed: false,
    watched: {
      begunAt: port.begunAt,
      pause: () => port.pause(),
      wayOut: 'Ctrl+C leaves it working, Ctrl+X pauses it',
    },
    changeMade: (change) => engine.changeMade(invocation.workspace, change),
    interrupt: () => port.leave(),
  });
  const stopListening = screen.inbox?.listen((line) => {
    port.send(line);
    return 'kept';
  });
  let work = new AsRun(null);
  const observe = (event: RunEvent | null): void => {
    if (event !== null) screen.observe(event);
  };
  return {
    past: (records) => {
      let last: RunEvent | null = null;
      for (const event of records) {
        screen.remember?.(event);
        last = event;
      }
      if (last !== null && 'state' in last) work = new AsRun(last.state);
    },
    missed: (records) => {
      for (const event of records) {
        observe(event);
        work = new AsRun(event.state);
      }
    },
    receive: (event) => observe(work.translate(event)),
    note: (text, tone) =>
      screen.observe({ type: 'notice', level: tone === 'dim' ? 'info' : 'warning', text }),
    hold: () => screen.hold?.() ?? (() => {}),
    stop: () => {
      stopListening?.();
      screen.stop();
    },
  };
}
