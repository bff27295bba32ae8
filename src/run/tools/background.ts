/**
 * Background programs of one run: started by its model, ended by the model or the run, never restarted.
 * 1. A program's identity is recorded before it begins; after a crash the next start ends what is left and
 *    reports it.
 * 2. All programs end before the proof, and whenever this start ends.
 * 3. Their changes are recorded before the next command looks at the files, with an unknown author, because a
 *    person may work there too.
 * 4. A program's output is kept, up to a limit, when its end is noticed; from then on it can be read.
 */
import { stripVTControlCharacters } from 'node:util';
import { defined } from '../../lib/defined.ts';
import { runSync } from '../../lib/interruptible.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { BackgroundProcess } from '../../processes/background.ts';
import { whereElse } from '../../processes/leftovers.ts';
import type { SystemProcesses } from '../../processes/system-processes.ts';
import { storeResult } from '../../round/files/keep-result.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { BackgroundEnd } from '../../schema/journal/background.ts';
import {
  type BackgroundLife,
  type BackgroundPrograms,
  type BackgroundSeen,
  exitWords,
  type LeftoverBackground,
} from '../../tools/commands/background.ts';
import type { BeforeImages } from '../../workspace/before-images/before-images.ts';
import type { OpenedRun } from '../open.ts';

const MAX = 4;
const MAX_BYTES = 1024 * 1024;
const LOOK_MS = 100;
const SAYS_MS = 100;
const MAX_CMD = 200;

type Watching = Pick<BeforeImages, 'begin' | 'end' | 'recordBack' | 'recordingUnseen'>;

interface Ports {
  readonly context: OpenedRun['context'];
  readonly processes: SystemProcesses;
  readonly beforeImages: Watching;
  readonly clock: RunPorts['clock'];
  readonly outputLimits: RunPorts['outputLimits'];
  /** Removes secrets in use from output. */
  withoutKeys(text: string): string;
}

/** Owns the processes. What must outlive this process is in the journal. */
export class BackgroundProcesses implements BackgroundPrograms, BackgroundLife {
  readonly #ports: Ports;
  readonly #live = new Map<string, BackgroundProcess>();
  /** How much each program had printed when its output was last shown to the model. */
  readonly #shown = new Map<string, number>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  refusal(): string | null {
    this.#notice();
    if (this.#ports.processes.background === undefined)
      return 'Nothing can run in the background here.';
    return this.#live.size < MAX
      ? null
      : `${this.#names()} run in the background, and no more than ${MAX} do at once: end one first.`;
  }

  async start(
    request: Parameters<BackgroundPrograms['start']>[0],
    { cmd, onSpawn }: Parameters<BackgroundPrograms['start']>[1],
  ): ReturnType<BackgroundPrograms['start']> {
    const { context, processes } = this.#ports;
    const id = `bg${(context.state.background?.count ?? 0) + 1}`;
    const { place } = processes;
    const started = await processes.background?.(
      { ...request, maxOutputBytes: MAX_BYTES },
      {
        onSpawn: (pid, startTime) => {
          onSpawn(pid, startTime);
          const program = { cmd: shortened(cmd, MAX_CMD), pid, startTime, place };
          context.record({ type: 'background_started', id, ...program });
        },
      },
    );
    if (started === undefined || typeof started === 'string')
      return { error: started ?? 'nothing can run in the background here' };
    this.#live.set(id, started);
    return { id };
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  ids(): readonly string[] {
    return [...this.#live.keys()];
  }

  see(id: string): BackgroundSeen | null {
    const one = this.#live.get(id);
    if (one === undefined) return null;
    this.#shown.set(id, one.printed());
    return one.exit() === null ? this.#seen(id, one) : this.#recordEnd(id, one, 'exited');
  }

  async wait(
    id: string,
    { ms, until, signal }: Parameters<BackgroundPrograms['wait']>[1],
  ): Promise<void> {
    const one = this.#live.get(id);
    if (one === undefined) return;
    const { clock } = this.#ports;
    const printed = this.#shown.get(id) ?? 0;
    const known = one.addresses().length;
    const end = clock.monotonic() + ms;
    for (;;) {
      const left = end - clock.monotonic();
      if (left <= 0 || signal.aborted || one.exit() !== null) return;
      // A server usually prints more right after its address.
      if (one.addresses().length > known) return one.wait(Math.min(left, SAYS_MS), signal);
      if (until === 'prints' && one.printed() > printed) return;
      await one.wait(Math.min(left, LOOK_MS), signal);
    }
  }

  async stop(id: string): Promise<BackgroundSeen | null> {
    const one = this.#live.get(id);
    if (one === undefined) return null;
    const how = one.exit() === null ? 'stopped' : 'exited';
    await one.end();
    return this.#recordEnd(id, one, how);
  }

  whyNone(id: string): string {
    const [, number] = /^bg([1-9]\d{0,5})$/.exec(id) ?? [];
    const isPast = Number(number) <= (this.#ports.context.state.background?.count ?? 0);
    const others =
      this.#live.size === 0 ? 'Nothing runs there now.' : `There run: ${this.#names()}.`;
    return isPast
      ? `${id} has ended. ${others}`
      : `There is no ${JSON.stringify(shortened(id, 40))} in the background. ${others}`;
  }

  async end(how: BackgroundEnd): Promise<void> {
    this.#notice();
    for (const [id, one] of [...this.#live]) {
      await one.end();
      this.#recordEnd(id, one, how);
    }
  }

  async close(): Promise<void> {
    const ends = await Promise.allSettled([...this.#live.values()].map((one) => one.end()));
    this.#live.clear();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async endLeft(): Promise<readonly LeftoverBackground[]> {
    const { context, processes, beforeImages } = this.#ports;
    const found: LeftoverBackground[] = [];
    const running = Object.entries(context.state.background?.running ?? {});
    for (const [id, { cmd, pid, startTime, place }] of running) {
      const left = await processes.endLeftover({ pid, startTime }, place);
      runSync(beforeImages.recordingUnseen(id));
      const isGone = left === 'ended' || left === 'none';
      context.record({ type: 'background_ended', id, how: isGone ? 'crash' : 'lost' });
      found.push({ id, cmd, left, where: whereElse(place, processes.place) });
    }
    return found;
  }

  /** The before-images, which learn of these programs' changes before they look at the files. */
  get beforeImages(): Watching {
    const { beforeImages } = this.#ports;
    return {
      begin: async () => {
        this.#notice();
        const [first] = this.#live.keys();
        if (first !== undefined) this.#recordChanges(first);
        await beforeImages.begin();
      },
      end: (id, how) => beforeImages.end(id, how),
      recordBack: (id, files) => beforeImages.recordBack(id, files),
      recordingUnseen: (id) => beforeImages.recordingUnseen(id),
    };
  }

  /** Records the end of programs that ended by themselves. */
  #notice(): void {
    for (const [id, one] of [...this.#live])
      if (one.exit() !== null) this.#recordEnd(id, one, 'exited');
  }

  /** Invariants 3 and 4. */
  #recordEnd(id: string, one: BackgroundProcess, how: BackgroundEnd): BackgroundSeen {
    const { context, outputLimits } = this.#ports;
    const seen = this.#seen(id, one);
    this.#live.delete(id);
    this.#recordChanges(id);
    const words = seen.exit === null ? 'ended' : exitWords(seen.exit);
    storeResult({ context, outputLimits }, id, `${seen.text.trimEnd()}\n[${words}]`.trimStart());
    const code = how === 'exited' ? defined({ exitCode: seen.exit?.exitCode }) : {};
    context.record({ type: 'background_ended', id, how, ...code });
    return seen;
  }

  #recordChanges(id: string): void {
    runSync(this.#ports.beforeImages.recordingUnseen(id, false));
  }

  #seen(id: string, one: BackgroundProcess): BackgroundSeen {
    const text = this.#ports.withoutKeys(stripVTControlCharacters(one.output().text));
    return { id, text, addresses: one.addresses(), exit: one.exit() };
  }

  #names(): string {
    return [...this.#live.keys()].join(', ');
  }
}
