/**
 * An answer from another terminal: it is journalled if no process runs, and left for the run's process
 * otherwise.
 */
import { ContextManager } from '../../context-manager/context-manager.ts';
import { runPorts } from '../../context-manager/open-or-create.ts';
import { layoutOf, prepareLayout } from '../../journal/layout.ts';
import { acquireLock } from '../../journal/lock/lock.ts';
import { openJournal } from '../../journal/recover.ts';
import { orNullOn } from '../../lib/errors.ts';
import { answeredAlready, isSameAnswer, leaveAnswer } from '../../run/left-answers.ts';
import type { Machine } from '../../run/machine.ts';
import { BY_COMMAND, type OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import type { RunState } from '../../schema/state.ts';
import type { AnswerReport, AnswerRequest } from '../engine-port.ts';
import { beliefIn, cannotSign, foreignIn, originBy } from './origin.ts';
import type { KeyReading, OriginKeys } from './origin-key.ts';
import { noRun } from './with-journal.ts';

/** The permissions that this user's current run waits for. Throws E_FOREIGN for somebody else's. */
export function openPermissionRequests(
  machine: Machine,
  keys: OriginKeys,
  workspace: string,
): readonly OpenPermissionRequest[] {
  const reading = keys.find();
  const belief = beliefIn(machine, reading, workspace);
  if (belief.kind === 'foreign') throw refusal(workspace, reading, machine.fs.platform);
  if (belief.kind === 'none' || belief.state.ended !== null) return [];
  return belief.state.permissions?.open ?? [];
}

const refusal = (workspace: string, reading: KeyReading, platform: NodeJS.Platform) =>
  foreignIn({ workspace, number: null, mayBeginAnew: false }, reading, platform);

/**
 * The first answer counts. Throws E_USAGE for a second one or without a run, E_FOREIGN, E_IO without a key to
 * sign with, and what the journal and the disk throw.
 */
export function answer(machine: Machine, keys: OriginKeys, request: AnswerRequest): AnswerReport {
  const { fs, clock, identity } = machine;
  const { id, allowed, why, giver = BY_COMMAND, mayRepeat = false } = request;
  const reading = keys.find();
  const belief = beliefIn(machine, reading, request.workspace);
  if (belief.kind === 'none') throw noRun();
  if (belief.kind !== 'own') throw refusal(request.workspace, reading, machine.fs.platform);
  if (reading.kind !== 'ok')
    throw cannotSign(reading.kind === 'unusable' ? reading.why : 'There is no key.', fs.platform);
  const origin = originBy(reading);
  const workspace = fs.realpath(request.workspace);
  const layout = layoutOf(workspace);
  prepareLayout(fs, layout);
  const place = { fs, folder: layout.answers, run: belief.state.run, origin };
  const lock = orNullOn('E_LOCKED', () =>
    acquireLock({ fs, directory: layout.lock, identity, clock }, { force: false }),
  );
  const isOpen = ({ permissions }: RunState): boolean =>
    permissions?.open.some((one) => one.id === id) === true;
  const repeated = ({ permissions }: RunState): AnswerReport => {
    const isSame = permissions?.answers.some((one) => isSameAnswer(one, request)) === true;
    if (!mayRepeat || !isSame) throw answeredAlready();
    return { how: 'journalled' };
  };
  if (lock === null) {
    if (!isOpen(belief.state)) return repeated(belief.state);
    leaveAnswer(place, { id, allowed, why, mayRepeat, ...giver });
    return { how: 'left' };
  }
  try {
    const opened = openJournal(runPorts({ fs, layout, clock }));
    if (opened === null) throw new Error('The run is gone.');
    const context = new ContextManager(opened, { fs, layout, clock, origin, emit: () => {} });
    try {
      if (!isOpen(context.state)) return repeated(context.state);
      context.record({ type: 'approval_given', id, allowed, why, scope: 'call', ...giver });
      context.settle();
    } finally {
      context.close();
    }
    return { how: 'journalled' };
  } finally {
    lock.release();
  }
}
