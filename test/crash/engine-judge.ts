/** What must hold of a machine whatever happened to it. */

import { RUN_FOLD } from '../../src/context-manager/open-or-create.ts';
import { RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { readPage } from '../../src/journal/read-journal.ts';
import { readSnapshot } from '../../src/journal/snapshot.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import type { Located, RecordOf, RecordType } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import type { SimulatedFileSystem } from '../support/simulated-file-system.ts';
import { FINAL, NEW_NOTES, NOTES, OLD_NOTES, PROGRAM, PROOF } from './engine-model.ts';
import { LAYOUT, NOTES_MODE } from './engine-program.ts';
import { demand, textAt, type Witness, WORKSPACE } from './engine-world.ts';

const LOOKING_BACK = { bytes: 'none', names: 'none' } as const;

type OfType<Type extends RecordType> = Located & RecordOf<Type>;

const only = <Type extends RecordType>(records: readonly Located[], type: Type) =>
  records.filter((record): record is OfType<Type> => record.type === type);

const hashAt = (fs: SimulatedFileSystem, path: string): string | null => {
  const text = textAt(fs, `${WORKSPACE}/${path}`);
  return text === null ? null : sha256(text);
};

/** Every record of the journal as it lies there, the chain checked from the start. */
export function readAll(machine: SimulatedFileSystem): readonly Located[] {
  const fs = machine.afterKill();
  const records: Located[] = [];
  let page = readPage({ fs, format: RUN_FORMAT }, LAYOUT.history);
  for (;;) {
    records.push(...page.records);
    demand(page.problem === '', `the journal is damaged: ${page.problem}`);
    if (page.isEnd) return records;
    page = readPage({ fs, format: RUN_FORMAT }, LAYOUT.history, page.next);
  }
}

/** Files hold what the last outcome says, or what an open intent is about to write. */
export function checkFiles(machine: SimulatedFileSystem, witness: Witness): void {
  const found = textAt(machine, LAYOUT.history) === null ? [] : onDisk(machine);
  const records = new Map([
    ...found.map((one) => [one.seq, one] as const),
    ...witness.acknowledged,
  ]);
  const allowed = new Map<string, readonly (string | null)[]>();
  for (const record of [...records.values()].sort((a, b) => a.seq - b.seq)) {
    if (record.type === 'action_intended')
      for (const { path, before, after } of record.files) allowed.set(path, [before, after]);
    if (record.type === 'action_finished' && record.status === 'ok')
      for (const [path, hash] of Object.entries(record.hashes)) allowed.set(path, [hash]);
    if (record.type === 'undo_started') return;
  }
  for (const [path, hashes] of allowed)
    demand(hashes.includes(hashAt(machine, path)), `${path} is not what its outcome says`);
}

/** What is readable of a journal that may end in a torn line. */
const onDisk = (machine: SimulatedFileSystem): readonly Located[] =>
  readPage({ fs: machine.afterKill(), format: RUN_FORMAT }, LAYOUT.history).records;

/** Everything that nobody had to lose is in the journal, in its place. */
export function checkAcknowledged(records: readonly Located[], witness: Witness): void {
  for (const [seq, record] of witness.written) {
    const found = records[seq - 1];
    const was = witness.acknowledged.has(seq) ? 'acknowledged' : 'written';
    demand(
      JSON.stringify(found) === JSON.stringify(record),
      `the ${was} record ${seq} (${record.type}) is lost`,
    );
  }
}

/** Every action has one outcome, every call one result, and no command ran without its intent. */
export function checkActions(records: readonly Located[], witness: Witness): void {
  const intents = only(records, 'action_intended');
  const outcomes = only(records, 'action_finished');
  const checks = only(records, 'check_ran');
  const notRun = new Set(outcomes.flatMap(({ id, status }) => (status === 'not_run' ? [id] : [])));
  const ran = (cmd: string) => witness.commands.filter((line) => line === cmd).length;
  for (const cmd of new Set(witness.commands)) {
    const asked = intents.filter(
      (one) => one.class === 'command' && one.args.cmd === cmd && !notRun.has(one.id),
    ).length;
    const checked = checks.filter(({ check }) => 'cmd' in check && check.cmd === cmd).length;
    const limit = cmd === PROOF ? checked + witness.starts - 1 : asked;
    demand(ran(cmd) <= limit, `${cmd} ran ${ran(cmd)} times where ${limit} were asked for`);
  }
  const ids = outcomes.map(({ id }) => id);
  demand(new Set(ids).size === ids.length, 'an action has two outcomes');
  const settled = new Set([...ids, ...checks.map(({ id }) => id)]);
  const open = intents.filter(({ id }) => !settled.has(id));
  demand(open.length === 0, `without an outcome: ${open.map(({ id }) => id).join(', ')}`);
  const calls = only(records, 'turn_finished').flatMap(({ decoded }) =>
    decoded.kind === 'calls' ? decoded.calls.map(({ id }) => id) : [],
  );
  const answered = outcomes.map(({ callId }) => callId).sort();
  demand(JSON.stringify(calls.sort()) === JSON.stringify(answered), 'a call has no single result');
  const wrong = outcomes.filter(({ status }) => status === 'conflict');
  demand(wrong.length === 0, `a false conflict: ${wrong.map(({ id }) => id).join(', ')}`);
  const said = only(records, 'message_added').filter(({ cause }) => cause === 'resume');
  demand(said.length === 0, 'the model was told that somebody changed files');
  const asked = witness.requests.length - only(records, 'turn_finished').length;
  demand(asked < witness.starts, `${asked} model calls have no record`);
}

/** The snapshot and the state the engine ended with are the fold of the journal. */
export function checkFold(machine: SimulatedFileSystem, witness: Witness): void {
  const records = readAll(machine);
  const reading = readSnapshot<RunState>(machine.afterKill(), LAYOUT);
  demand(reading.kind === 'ok', `the snapshot is ${reading.kind}`);
  let state: RunState | null = null;
  for (const record of records) {
    state = RUN_FOLD.reduce(state, record);
    if (record.seq !== reading.snapshot.seq) continue;
    const folded = JSON.stringify(state);
    demand(folded === JSON.stringify(reading.snapshot.state), 'the snapshot is not the fold');
  }
  demand(JSON.stringify(state) === JSON.stringify(witness.state), 'the state is not the fold');
}

/** Where nothing went wrong inside an action, every request is one of an uninterrupted run. */
function checkRequests(
  records: readonly Located[],
  witness: Witness,
  plain: ReadonlySet<string>,
): void {
  if (only(records, 'action_finished').some(({ status }) => status !== 'ok')) return;
  const at = witness.requests.findIndex((request) => !plain.has(request));
  demand(at < 0, `request ${at + 1} is not the one of an uninterrupted run`);
}

/** @param plain the requests of an uninterrupted run; `null`: what the model saw may differ. */
export function checkFinished(
  machine: SimulatedFileSystem,
  witness: Witness,
  plain: ReadonlySet<string> | null,
): void {
  const records = readAll(machine);
  checkActions(records, witness);
  checkAcknowledged(records, witness);
  const { ending, detail = '' } = only(records, 'run_finished').at(-1) ?? {};
  // A copy for trials that the folder did not take proves nothing, and the end says so.
  const isUntried = ending === 'unverified' && detail.includes('it is not known');
  demand(ending === 'achieved' || isUntried, 'the goal is not achieved');
  if (plain !== null) checkRequests(records, witness, plain);
  checkFold(machine, witness);
  demand(textAt(machine, `${WORKSPACE}/${PROGRAM}`) === FINAL, `${PROGRAM} is wrong`);
  demand(textAt(machine, `${WORKSPACE}/${NOTES}`) === NEW_NOTES, `${NOTES} is wrong`);
  const left = [...witness.alive.keys()].filter((pid) =>
    only(records, 'action_started').some((started) => started.pid === pid),
  );
  demand(left.length === 0, 'a program of a killed run still runs');
}

/** The same after a power loss: what is finished is durable. */
export function checkDurable(machine: SimulatedFileSystem, witness: Witness): void {
  const later = machine.afterPowerLoss(LOOKING_BACK);
  checkAcknowledged(readAll(later), witness);
  for (const path of [PROGRAM, NOTES])
    demand(hashAt(later, path) === hashAt(machine, path), `${path} is not durable`);
}

/**
 * After an undo the workspace is as the person had left it.
 * @param isWhole false where a file that could not be looked at may have been left alone.
 */
export function checkUndone(
  machine: SimulatedFileSystem,
  witness: Witness,
  isWhole: boolean,
): void {
  const records = readAll(machine);
  checkAcknowledged(records, witness);
  const restored = only(records, 'file_restored');
  const paths = restored.map(({ path }) => path);
  demand(new Set(paths).size === paths.length, 'a file was restored twice');
  demand(only(records, 'undo_finished').length === 1, 'the undo has no single end');
  if (!isWhole) return;
  const skipped = restored.filter((one) => one.skipped !== '').map(({ path }) => path);
  demand(skipped.length === 0, `left alone: ${skipped.join(', ')}`);
  for (const fs of [machine, machine.afterPowerLoss(LOOKING_BACK)]) {
    demand(textAt(fs, `${WORKSPACE}/${NOTES}`) === OLD_NOTES, `${NOTES} is not back`);
    const mode = fs.nodeAt(`${WORKSPACE}/${NOTES}`)?.mode;
    demand(mode === NOTES_MODE, `${NOTES} has the mode ${mode?.toString(8)}`);
    demand(hashAt(fs, PROGRAM) === null, `${PROGRAM} is still there`);
  }
  demand(machine.nodeAt(`${WORKSPACE}/app`) === undefined, 'the folder it made is still there');
}
