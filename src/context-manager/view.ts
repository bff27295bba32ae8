/**
 * Writes `state.json` while a run works; a failure is only a warning. It is always written right after a
 * barrier, so it is never ahead of the journal on disk.
 */

import type { Journal } from '../journal/journal.ts';
import type { StateFolder } from '../journal/layout.ts';
import { writeSnapshot } from '../journal/snapshot.ts';
import type { Clock } from '../lib/clock.ts';
import { dirname, join } from '../lib/files/absolute-paths.ts';
import { fileKindAt } from '../lib/files/durable-files.ts';
import { orNull } from '../lib/or-null.ts';
import { type FactsDeps, gatherFacts } from '../probe/facts.ts';
import { statusOfTask } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { STATE_SCHEMA } from './fold/fold.ts';

/**
 * Milliseconds: four states a second are enough for a viewer, and each one costs a rename, which is part of a
 * sync.
 */
const MIN_MS = 250;

export interface ViewPorts extends StateFolder {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly journal: Pick<Journal, 'position'>;
  warn(text: string): void;
}

export class StateView {
  readonly #ports: ViewPorts;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #dueShownAt = Number.NEGATIVE_INFINITY;
  #seq = 0;
  #isDue = false;
  #isWarned = false;

  constructor(ports: ViewPorts) {
    this.#ports = ports;
  }

  /** The next barrier writes the view even if another was written a moment ago. */
  due(): void {
    this.#isDue = true;
  }

  /** Called after a barrier: from the first plan on, writes at most as often as a person can look. */
  show(state: RunState): void {
    if (state.plan === null || state.seq === this.#seq) return;
    const now = this.#ports.clock.monotonic();
    if (now - (this.#isDue ? this.#dueShownAt : this.#writtenAt) < MIN_MS) return;
    if (this.#isDue) this.#dueShownAt = now;
    this.#writtenAt = now;
    this.#write(state, false);
  }

  /** Called when everything is durable before a long wait: writes what came too soon after the last view. */
  showLate(state: RunState): void {
    if (this.#isDue) this.show(state);
  }

  /** Writes the last view for a while. When synced, it proves how long the journal was. */
  settle(state: RunState, synced: boolean): void {
    if (synced) this.#isWarned = false;
    this.#write(state, synced);
  }

  #write(state: RunState, synced: boolean): void {
    const { fs, layout, journal, warn } = this.#ports;
    const shown = shownOf(state, { exists: (path) => this.#exists(path) });
    const snapshot = { ...journal.position(), schema: STATE_SCHEMA, synced, shown, state };
    const written = writeSnapshot(fs, layout, snapshot);
    this.#seq = state.seq;
    this.#isDue = false;
    if (written.ok || this.#isWarned) return;
    this.#isWarned = true;
    warn(written.warning);
  }

  /** A path that leads out of the workspace is not one of its files. */
  #exists(path: string): boolean {
    const { fs, layout } = this.#ports;
    if (path.split(/[\\/]/).includes('..')) return false;
    return orNull(() => fileKindAt(fs, join(dirname(layout.root), path))) !== null;
  }
}

/**
 * The part for people and other programs, which is written and never read back: the status of each task, and
 * the probe's facts about files and commands.
 */
function shownOf(state: RunState, deps: FactsDeps) {
  if (state.plan === null) return {};
  const facts = gatherFacts(state, deps);
  return {
    tasks: state.plan.tasks.map((task) => ({
      id: task.id,
      description: task.description,
      status: statusOfTask(task),
    })),
    probe: {
      files_written: facts.files_written.names,
      files_exist: facts.files_exist.names,
      files_missing: facts.files_missing.names,
      commands_run: facts.commands_run.map(({ cmd, exitCode }) => `${cmd} -> rc=${exitCode}`),
      recent_errors: facts.recent_errors,
    },
  };
}
