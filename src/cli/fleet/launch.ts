/** Starts the processes in which a worker opens its runs. */
import { spawn } from 'node:child_process';
import type { Report } from '../../fleet/messages.ts';
import type { PoolPorts } from '../../fleet/pool.ts';
import { wordsFor } from '../../options/read.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { Machine } from '../../run/machine.ts';
import type { CommandContext } from '../command-context.ts';

/** The options of a worker that its processes need, too. */
const HANDED_ON: ReadonlySet<unknown> = new Set([
  ...[OPTIONS.sandbox, OPTIONS.config, OPTIONS.roots, OPTIONS.home],
]);

/** In a process group of its own: Ctrl+C is meant for the worker, which ends its processes in order. */
export function launcher(
  { terminal, invocation }: CommandContext,
  machine: Machine,
): PoolPorts['launch'] {
  const [program = '', ...first] = terminal.self;
  const words = [
    ...[...first, 'worker', longFlag(OPTIONS.slices)],
    ...wordsFor(invocation, (row) => HANDED_ON.has(row)),
  ];
  const { killTree } = machine.processes(terminal.cwd, []);
  return (listener) => {
    const child = spawn(program, words, {
      cwd: terminal.cwd,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (report) => listener.report(report as Report));
    child.on('error', () => listener.exited());
    child.on('exit', () => listener.exited());
    return {
      send: (order) => void (child.connected && child.send(order, () => {})),
      end: () => void (child.pid !== undefined && killTree(child.pid)),
    };
  };
}
