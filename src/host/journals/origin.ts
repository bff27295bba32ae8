/** How far the state in a folder is trusted. */
import { foreignState } from '../../context-manager/foreign.ts';
import { runPorts } from '../../context-manager/open-or-create.ts';
import { type Accept, type HashOf, type Origin, originOf } from '../../context-manager/origin.ts';
import { type Layout, layoutOf, usableLayout } from '../../journal/layout.ts';
import { hashOfStart } from '../../journal/lines/hash-of-start.ts';
import { readState } from '../../journal/read-journal.ts';
import { refuseWhenLost } from '../../journal/removed/lost-journal.ts';
import { isSameGoal } from '../../journal/runs/goal-id.ts';
import { TardigradeError } from '../../lib/errors.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import type { Machine } from '../../run/machine.ts';
import type { RunState } from '../../schema/state.ts';
import type { Belief } from '../engine-port.ts';
import { dataVariableOf } from '../user/user-folders.ts';
import type { KeyReading } from './origin-key.ts';
import { layoutOfRun } from './run-place.ts';

/** Without a key no run is this user's: nothing was ever signed here. */
export const originBy = (reading: KeyReading): Origin =>
  originOf(reading.kind === 'ok' ? reading.key : null);

/** Reads the current run, or the named one, from its journal, with how far it is trusted. */
export function beliefIn(
  machine: Machine,
  reading: KeyReading,
  workspace: string,
  run?: string,
): Belief {
  const { fs, clock } = machine;
  const layout = layoutOfRun(fs, usableLayout(fs, workspace), run);
  const state = readState(runPorts({ fs, clock, layout }))?.state ?? null;
  if (state === null) {
    refuseWhenLost(fs, layout);
    return { kind: 'none' };
  }
  const origin = originBy(reading);
  if (!origin.isOwn(state, hashIn(fs, layout))) return { kind: 'foreign', state };
  return { kind: 'own', state: origin.hasOwnAddress(state) ? state : withoutAddress(state) };
}

export const hashIn =
  (fs: FileSystem, { history }: Layout): HashOf =>
  (bytes) => {
    return withFile(fs, history, (fd) => hashOfStart(fs, fd, bytes));
  };

/** Somebody else inserted the address between this user's records. */
function withoutAddress(state: RunState): RunState {
  if (state.settings === null) return state;
  const { baseUrl: _address, ...settings } = state.settings;
  return { ...state, settings };
}

/**
 * The run whose model and address a start continues with. Throws E_FOREIGN if the run is not this user's, before
 * anybody is asked for anything.
 */
export function believedFor(
  belief: Belief,
  { goal, again }: { readonly goal: string | null; readonly again: boolean },
  refuse: (mayBeginAnew: boolean) => TardigradeError,
): RunState | null {
  if (belief.kind === 'none') return null;
  if (belief.kind === 'own') return belief.state;
  const { state } = belief;
  const isMeant = goal === null || isSameGoal(goal, state.goal);
  const beginsAnew = goal !== null && (again || state.ended?.ending === 'undone');
  if (isMeant && !beginsAnew) throw refuse(goal !== null);
  return null;
}

export interface ForeignRun {
  readonly workspace: string;
  /** The number that people use, if it is not the current run. */
  readonly number: number | null;
  /** Whether a goal was given. */
  readonly mayBeginAnew: boolean;
}

/** E_FOREIGN; says why if this user has no usable key. */
export function foreignIn(
  { workspace, number, mayBeginAnew }: ForeignRun,
  reading: KeyReading,
  platform: NodeJS.Platform,
): TardigradeError {
  const adopt = ['adopt', ...(number === null ? [] : [String(number)])];
  const error = foreignState(layoutOf(workspace), mayBeginAnew, adopt);
  if (reading.kind !== 'unusable') return error;
  return new TardigradeError(
    'E_FOREIGN',
    `It is unclear whether your agent began the run in ${workspace}: ${reading.why}`,
    `${wayToAKey(platform)} Then take the run over`,
    { command: adopt },
  );
}

/** For acting on a folder's run in any way other than continuing it. */
export const acceptIn =
  (run: Omit<ForeignRun, 'mayBeginAnew'>, reading: KeyReading, platform: NodeJS.Platform): Accept =>
  (facts, hashOf) => {
    if (!originBy(reading).isOwn(facts, hashOf))
      throw foreignIn({ ...run, mayBeginAnew: false }, reading, platform);
  };

/** For a run that is begun without a key. */
export const unsignedText = (why: string): string =>
  `This run cannot be marked as yours, so going on with it after a pause or a crash takes an adoption: ${why}`;

/** Adopting a run means signing it. */
export const cannotSign = (
  why: string,
  platform: NodeJS.Platform,
  what = 'The run cannot be taken over',
): TardigradeError => new TardigradeError('E_IO', `${what}: ${why}`, wayToAKey(platform));

function wayToAKey(platform: NodeJS.Platform): string {
  const variable = dataVariableOf(platform);
  return variable === null
    ? 'Make that folder one that you may write to.'
    : `Set ${variable} to a folder that you may write to.`;
}
