/**
 * Daemons: a program that forks twice and leaves its session is in no tree of the command that started it.
 * What every child hands on is its environment, so each command gets a word of its own there.
 * 1. Only Linux shows the environment of another process, and only to its own user: elsewhere nothing is found.
 * 2. A process that takes the word out of its environment, or writes over it, is not found.
 * 3. One look at all processes; nothing is waited for where nothing is found, and where nothing was started
 *    nothing is looked at.
 */
import type { Clock } from '../lib/clock.ts';
import type { MarkedEnd, Processes } from './contract.ts';
import { INSIDE_A_RUN } from './environment.ts';
import { startTimeOf } from './identity.ts';
import type { OperatingSystem } from './operating-system.ts';

export interface MarkPorts {
  readonly system: OperatingSystem;
  killTree(pid: number): Promise<void>;
}

/** More processes than these are not looked at. */
const MOST_LOOKED_AT = 20_000;
/** One that starts another while it is ended is looked for again, so often. */
const MOST_LOOKS = 4;
const NOTHING: MarkedEnd = { ended: [], left: [] };

export interface Marks {
  /** Names this process, and this use of it, on this machine. */
  readonly mark: string;
  /** Each command whose start is recorded then ends with what it left outside of its tree. */
  around(run: Processes['run']): Processes['run'];
  /** The word of a program that is now started beside the run. */
  wordBeside(): string;
  /** For what came too late for its command, and for programs in the background. */
  endAll(): Promise<MarkedEnd>;
}

/** `undefined` where no process shows its environment. */
export function marksOf(ports: MarkPorts, clock: Pick<Clock, 'monotonic'>): Marks | undefined {
  const { system } = ports;
  if (system.platform !== 'linux') return undefined;
  const started = startTimeOf(system.ownPid, system) ?? '';
  const mark = `${system.ownPid}-${started}-${Math.round(clock.monotonic() * 1000)}`;
  let count = 0;
  let isAnyBeside = false;
  return {
    mark,
    around: (run) => async (request, hooks) => {
      if (hooks.onSpawn === undefined) return run(request, hooks);
      count += 1;
      const word = wordOf(mark, count);
      const env = { ...request.env, [INSIDE_A_RUN]: word };
      const outcome = await run({ ...request, env }, hooks);
      const daemons = await endMarked(word, ports);
      const isAny = daemons.ended.length + daemons.left.length > 0;
      return isAny ? { ...outcome, daemons } : outcome;
    },
    wordBeside: () => {
      isAnyBeside = true;
      return wordOf(mark, 0);
    },
    endAll: async () => (count > 0 || isAnyBeside ? endMarked(mark, ports) : NOTHING),
  };
}

/** The word of one command. @param mark of the process that starts it */
export const wordOf = (mark: string, count: number): string => `${mark}.${count}`;

/** @param mark of a process: all of its commands; or the whole word of one of them */
export async function endMarked(mark: string, ports: MarkPorts): Promise<MarkedEnd> {
  const { system } = ports;
  if (system.platform !== 'linux') return NOTHING;
  const ended = new Set<string>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = markedBy(mark, system);
    if (found.length === 0) return { ended: [...ended], left: [] };
    for (const pid of found) {
      ended.add(nameOf(pid, system));
      await ports.killTree(pid);
    }
  }
  const left = new Set(markedBy(mark, system).map((pid) => nameOf(pid, system)));
  return { ended: [...ended].filter((name) => !left.has(name)), left: [...left] };
}

/** Those that live: of a zombie the environment is gone. */
function markedBy(mark: string, system: OperatingSystem): readonly number[] {
  return system
    .list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .slice(-MOST_LOOKED_AT)
    .map(Number)
    .filter((pid) => pid !== system.ownPid && isMarked(pid, mark, system));
}

function isMarked(pid: number, mark: string, system: OperatingSystem): boolean {
  const environment = system.readText(`/proc/${pid}/environ`) ?? '';
  const start = `${INSIDE_A_RUN}=${mark}`;
  for (let at = environment.indexOf(start); at >= 0; at = environment.indexOf(start, at + 1)) {
    const isName = at === 0 || environment[at - 1] === '\0';
    const next = environment[at + start.length];
    if (isName && (next === undefined || next === '\0' || next === '.')) return true;
  }
  return false;
}

const nameOf = (pid: number, system: OperatingSystem): string =>
  (system.readText(`/proc/${pid}/comm`) ?? '').trim() || String(pid);
