/** A person takes over a run that this user's agent did not begin. */
import { ContextManager } from '../../context-manager/context-manager.ts';
import { runPorts } from '../../context-manager/open-or-create.ts';
import { raiseFormat } from '../../context-manager/raise-format.ts';
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { type Layout, layoutOf } from '../../journal/layout.ts';
import { pagesOf } from '../../journal/read-journal.ts';
import { openJournal } from '../../journal/recover.ts';
import { listJournalledRuns, makeCurrent, runNamed } from '../../journal/runs/runs.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { VERSION } from '../../lib/version.ts';
import type { Machine } from '../../run/machine.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { AdoptionPlan, AdoptionReport, AdoptRequest } from './adopt-contract.ts';
import { finishSwap } from './apply.ts';
import { beliefIn, cannotSign, hashIn, originBy } from './origin.ts';
import type { KeyReading, OriginKeys } from './origin-key.ts';
import { layoutOfRun, underLock } from './run-place.ts';

/** What a person should see first; `null` without a run. Throws E_JOURNAL_CORRUPT. */
export function adoptionPlan(
  machine: Machine,
  keys: OriginKeys,
  workspace: string,
  run?: string,
): AdoptionPlan | null {
  const belief = beliefIn(machine, keys.find(), workspace, run);
  if (belief.kind === 'none') return null;
  const { state } = belief;
  const { goal, startedAt, version, settings } = state;
  return {
    isOwn: belief.kind === 'own',
    goal,
    startedAt,
    version,
    records: state.seq,
    model: settings === null ? null : `${settings.provider} ${settings.model}`,
    next: nextIn(state),
    dropped: droppedFrom(recordsIn(machine, layoutOfRun(machine.fs, layoutOf(workspace), run))),
  };
}

/**
 * Throws E_LOCKED, E_USAGE for a run that cannot be adopted now, E_IO without a key to sign with, and what the journal
 * and the disk throw.
 */
export function adopt(machine: Machine, keys: OriginKeys, request: AdoptRequest): AdoptionReport {
  const { fs, clock } = machine;
  const reading = keys.findOrMake();
  if (reading.kind !== 'ok') throw cannotSign(reading.why, fs.platform);
  const workspace = fs.realpath(request.workspace);
  const layout = layoutOf(workspace);
  return underLock(machine, layout, request, () => {
    if (request.run !== undefined) takeUp(machine, reading, layout, { ...request, workspace });
    const opened = openJournal(runPorts({ fs, layout, clock }));
    if (opened === null) throw nothingToAdopt();
    const origin = originBy(reading);
    const context = new ContextManager(opened, { fs, layout, clock, origin, emit: () => {} });
    try {
      const hashOf = hashIn(fs, layout);
      const { goal } = context.state;
      if (origin.isOwn(context.state, hashOf)) return { outcome: 'own', goal, dropped: NOTHING };
      raiseFormat(context);
      const dropped = droppedFrom(recordsIn(machine, layout));
      const base = hashOf(context.journal.size);
      context.record({ type: 'adopted', version: VERSION, base, dropped });
      context.settle();
      return { outcome: 'adopted', goal, dropped };
    } finally {
      context.close();
    }
  });
}

const NOTHING: AdoptionReport['dropped'] = { addresses: [], grants: [] };

const nothingToAdopt = (): TardigradeError =>
  misuse('There is no run to adopt.', 'See what there is', {
    command: ['runs'],
  });

/**
 * Makes another run the current one, unless the current one is in the middle of an undo. A swap that was cut off in
 * the current one is finished first, since no start would find it later.
 */
function takeUp(
  machine: Machine,
  reading: KeyReading,
  layout: Layout,
  { workspace, run = '' }: AdoptRequest,
): void {
  const { fs } = machine;
  const place = { fs, layout, format: RUN_FORMAT };
  const wanted = runNamed(listJournalledRuns(place), run);
  if (wanted.isCurrent) return;
  const current = beliefIn(machine, reading, workspace);
  if (current.kind === 'own' && current.state.undo?.finished === false)
    throw misuse('The current run is in the middle of an undo.', 'Finish that first', {
      command: ['undo'],
    });
  if (current.kind === 'own') finishSwap(machine, workspace, () => {});
  makeCurrent(place, wanted);
}

function* recordsIn({ fs }: Machine, { history }: Layout): Generator<JournalRecord> {
  for (const { records } of pagesOf({ fs, format: RUN_FORMAT }, history)) yield* records;
}

/** The most that are shown, and stored in a record: a journal may name any number of addresses. */
const MAX_DROPPED = 20;

function droppedFrom(records: Iterable<JournalRecord>): { addresses: string[]; grants: string[] } {
  const addresses = new Set<string>();
  const grants = new Set<string>();
  for (const record of records) {
    if (record.type === 'settings_changed' && record.baseUrl !== undefined)
      addresses.add(addressOrNote(record.baseUrl));
    if (record.type === 'approval_given' && record.allowed && record.rule !== undefined)
      grants.add(record.rule.slice(0, 200));
  }
  return { addresses: firstOf(addresses), grants: firstOf(grants) };
}

const firstOf = (texts: ReadonlySet<string>): string[] => [...texts].slice(0, MAX_DROPPED);

/** An address may contain a name, a password or a key. */
function addressOrNote(text: string): string {
  if (!URL.canParse(text)) return text.slice(0, 200);
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`.slice(0, 200);
}

/** What the run would do first, one line each: the person answers for this. */
function nextIn({ undo, pending, intents, plan }: RunState): readonly string[] {
  if (undo !== null && !undo.finished) return ['finish the undo that was begun'];
  const open = Object.values(intents).map(({ tool, files }) =>
    [`settle ${tool}`, ...files.map(({ path }) => path)].join(' '),
  );
  const calls = (pending?.calls.slice(pending.next) ?? []).map(
    ({ name, args }) => `${name} ${JSON.stringify(args).slice(0, 200)}`,
  );
  const proof = plan?.proof === undefined ? [] : [`prove it with ${plan.proof.cmd}`];
  return [...open, ...calls, ...proof];
}
