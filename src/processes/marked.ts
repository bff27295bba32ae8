/**
 * Finds daemons: a program that forks twice and leaves its session is in no tree of the command that started
 * it. Every child passes on its environment, so each command gets a unique mark there.
 * 1. Only Linux shows the environment of another process, and only to its own user; elsewhere nothing is found.
 * 2. A process that removes or overwrites the mark in its environment is not found.
 * 3. One look suffices. Nothing is awaited if nothing is found, and there is no look if nothing was started.
 * 4. After a command only processes are examined whose number nobody had before it. Should a daemon get such a number
 *    again, the look at the end of the run finds it.
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

/** More processes than this are not examined. */
const MAX_LOOKED_AT = 20_000;
/** A daemon that starts another while it is ended is searched for again, this many times. */
const MAX_LOOKS = 4;
const NOTHING: MarkedEnd = { ended: [], left: [] };

export interface Marks {
  /** Identifies this process, and this use of it, on this machine. */
  readonly mark: string;
  /** Lets every command with a recorded start end what it left outside its tree. */
  around(run: Processes['run']): Processes['run'];
  /** The mark for a program that is started beside the run. */
  wordBeside(): string;
  /** Ends what appeared too late for its command, and what background programs left. */
  endAll(): Promise<MarkedEnd>;
}

/** `undefined` if processes do not show their environment. */
export function processMarks(ports: MarkPorts, clock: Pick<Clock, 'monotonic'>): Marks | undefined {
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
      const word = commandMark(mark, count);
      const env = { ...request.env, [INSIDE_A_RUN]: word };
      const before = new Set(system.list('/proc'));
      const outcome = await run({ ...request, env }, hooks);
      const daemons = await endMarked(word, ports, before);
      const isAny = daemons.ended.length + daemons.left.length > 0;
      return isAny ? { ...outcome, daemons } : outcome;
    },
    wordBeside: () => {
      isAnyBeside = true;
      return commandMark(mark, 0);
    },
    endAll: async () => (count > 0 || isAnyBeside ? endMarked(mark, ports) : NOTHING),
  };
}

/** The mark of one command. @param mark of the process that starts it */
export const commandMark = (mark: string, count: number): string => `${mark}.${count}`;

/**
 * @param mark of a process, for all its commands, or the complete mark of one command
 * @param others names below /proc of processes that are not examined
 */
export async function endMarked(
  mark: string,
  ports: MarkPorts,
  others: ReadonlySet<string> = new Set(),
): Promise<MarkedEnd> {
  const { system } = ports;
  if (system.platform !== 'linux') return NOTHING;
  const ended = new Set<string>();
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const found = markedBy(mark, system, others);
    if (found.length === 0) return { ended: [...ended], left: [] };
    for (const pid of found) {
      ended.add(nameOf(pid, system));
      await ports.killTree(pid);
    }
  }
  const left = new Set(markedBy(mark, system, others).map((pid) => nameOf(pid, system)));
  return { ended: [...ended].filter((name) => !left.has(name)), left: [...left] };
}

/** The live ones; a zombie's environment is gone. */
function markedBy(
  mark: string,
  system: OperatingSystem,
  others: ReadonlySet<string>,
): readonly number[] {
  return system
    .list('/proc')
    .filter((name) => /^\d+$/.test(name) && !others.has(name))
    .slice(-MAX_LOOKED_AT)
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
