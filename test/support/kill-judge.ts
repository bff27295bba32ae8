/** What is wrong with a run that was killed and started again, against one that was not. Pure. */
import type { Stamped } from '../../src/schema/records.ts';
import type { ChatRequest } from './fake-ollama-validation.ts';
import type { KilledRun, SeenRequest, Witnessed } from './kill-run.ts';

type Intent = Extract<Stamped, { type: 'action_intended' }>;

/**
 * Why a run says nothing: on a machine that is starved of time a connection may fail, and then the
 * engine rightly asks again, as another attempt with another seed. `null`: nothing of the kind.
 */
export function disturbance({ journal }: Witnessed): string | null {
  const failed = journal.records.find(
    (record) => record.type === 'turn_finished' && record.status.kind !== 'success',
  );
  return failed?.type === 'turn_finished' ? `${failed.status.kind}: ${failed.detail}` : null;
}

export function violationsOf(calm: Witnessed, killed: KilledRun): readonly string[] {
  const intent = openIntent(killed.before.journal.records);
  const isHidden = intent?.class === 'command';
  return [
    ...placeFaults(killed),
    ...endingFaults(calm, killed),
    ...requestFaults(calm, killed, isHidden ? intent : null),
    ...(isHidden ? hiddenFaults(calm, killed, intent) : countFaults(calm, killed, intent)),
    ...intentFaults(killed),
    ...survivorFaults(killed),
  ];
}

/** A kill that came too late shows nothing. */
export function placeFaults({ point, before }: KilledRun): readonly string[] {
  if (point.at === 'request')
    return before.requests === point.n
      ? []
      : [`killed after ${before.requests} requests instead of ${point.n}`];
  const last = before.journal.records.at(-1)?.seq;
  return point.at === 'record' && last !== point.seq
    ? [`killed after record ${last} instead of ${point.seq}`]
    : [];
}

const survivorFaults = ({ point, survivors }: KilledRun): readonly string[] => [
  ...(point.at === 'command' && survivors.length < 2
    ? ['the command did not outlive the kill']
    : []),
  ...survivors.filter((one) => one.isAlive).map(({ pid }) => `process ${pid} still runs`),
];

/** The last intent that has no outcome. */
export function openIntent(records: readonly Stamped[]): Intent | null {
  const open = new Map<string, Intent>();
  for (const record of records) {
    if (record.type === 'action_intended') open.set(record.id, record);
    if (record.type === 'action_finished') open.delete(record.id);
    if (record.type === 'check_ran' && record.id !== null) open.delete(record.id);
  }
  return [...open.values()].at(-1) ?? null;
}

function endingFaults(calm: Witnessed, killed: KilledRun): string[] {
  const faults: string[] = [];
  if (killed.code !== calm.code) faults.push(`exit code ${killed.code}: ${killed.output}`);
  const { lines } = killed.before.journal;
  const isKept = lines.every((line, at) => killed.journal.lines[at] === line);
  if (!isKept) faults.push('the journal lost or changed a record');
  return [...faults, ...killed.violations.map((text) => `sent to the server: ${text}`)];
}

/** How a goal is read is asked beside the requests that are counted. */
const turnsOf = (records: readonly Stamped[]): number =>
  records.filter((record) => record.type === 'turn_finished' && record.purpose !== 'brief').length;

/** Turns with a durable outcome are never asked for again; all else is the undisturbed run's. */
function requestFaults(calm: Witnessed, killed: KilledRun, hidden: Intent | null): string[] {
  const sent = killed.before.requests;
  const durable = turnsOf(killed.before.journal.records);
  if (sent !== durable && sent !== durable + 1)
    return [`${sent} requests were sent, ${durable} turns are durable`];
  const expected = [
    ...calm.requests.slice(0, sent),
    ...(hidden === null ? calm.requests.slice(durable) : []),
  ];
  const seen = hidden === null ? killed.requests : killed.requests.slice(0, sent);
  const at = expected.findIndex(({ body }, index) => seen[index]?.body !== body);
  if (at >= 0 || seen.length !== expected.length) {
    const place = at >= 0 ? at : expected.length;
    const difference = firstDifference(expected[place]?.body, seen[place]?.body);
    return [
      `${seen.length} requests instead of ${expected.length}; request ${place + 1} (${sent} before the kill) differs: ${difference}`,
    ];
  }
  return [];
}

function firstDifference(expected = '(none)', seen = '(none)'): string {
  let at = 0;
  while (at < expected.length && expected[at] === seen[at]) at += 1;
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
  return `at ${at}: expected ${part(expected)}, saw ${part(seen)}`;
}

const labelOf = (intent: Intent | null): string =>
  /^node (?:step|sleeper)\.mjs (\w+)/.exec(String(intent?.args.cmd ?? ''))?.[1] ?? '';

const timesIn = (witness: readonly string[], label: string): number =>
  witness.filter((line) => line === label).length;

const labelsOf = (...witnesses: (readonly string[])[]): readonly string[] => [
  ...new Set(witnesses.flat()),
];

/** Every command ran as often as undisturbed; a check that was cut off may run once more. */
function countFaults(calm: Witnessed, killed: KilledRun, intent: Intent | null): string[] {
  const again = intent?.class === 'check' ? labelOf(intent) : '';
  return labelsOf(calm.witness, killed.witness).flatMap((label) => {
    const [expected, seen] = [timesIn(calm.witness, label), timesIn(killed.witness, label)];
    const isFine = seen === expected || (label === again && seen === expected + 1);
    return isFine ? [] : [`${label} ran ${seen} times, undisturbed ${expected}`];
  });
}

/** What the crash hid is called unknown, and nobody but the model has it run again. */
function hiddenFaults(calm: Witnessed, killed: KilledRun, intent: Intent): string[] {
  const { requests } = killed;
  const first = requests[killed.before.requests];
  const undisturbed = calm.requests[killed.before.requests];
  if (!first) return ['the model was not asked after the resume'];
  const label = labelOf(intent);
  const isFailing = String(intent.args.cmd).endsWith(' fail');
  const early = labelsOf(first.witness, killed.before.witness).flatMap((one) => {
    const [before, then] = [
      timesIn(requests[killed.before.requests - 1]?.witness ?? [], one),
      timesIn(first.witness, one),
    ];
    const isFine =
      one === label ? then <= before + 1 : then === timesIn(killed.before.witness, one);
    return isFine ? [] : [`${one} ran ${then - before} times before the model was asked again`];
  });
  const late = labelsOf(calm.witness, killed.witness).flatMap((one) => {
    const [expected, seen] = [timesIn(calm.witness, one), timesIn(killed.witness, one)];
    const isFine = one === label && isFailing ? seen <= expected : seen === expected;
    return isFine ? [] : [`${one} ran ${seen} times, undisturbed ${expected}`];
  });
  const hasBegun = hasStart(killed.before.journal.records, intent);
  const sinceAsked = requests[killed.before.requests - 1]?.witness ?? [];
  const ranUnseen = !hasBegun && timesIn(first.witness, label) > timesIn(sinceAsked, label);
  const begun = ranUnseen ? [`${label} ran without the record of its start`] : [];
  return [...begun, ...early, ...late, ...unknownFaults(undisturbed, first, intent, hasBegun)];
}

/** Without the record of its start, in the same boot, a command has not begun. */
const hasStart = (records: readonly Stamped[], { id, seq }: Intent): boolean =>
  process.platform === 'win32' ||
  records.some((one) => one.type === 'action_started' && one.id === id && one.seq > seq);

/** @param undisturbed left out where the engine itself would have ended the work with this command */
function unknownFaults(
  undisturbed: SeenRequest | undefined,
  first: SeenRequest,
  intent: Intent,
  hasBegun: boolean,
): string[] {
  const seen: ChatRequest = JSON.parse(first.body);
  const cmd = String(intent.args.cmd);
  // A known failure may open a repair beside the conversation, so the places need not be the same.
  const words = hasBegun ? 'outcome unknown' : `Not run: ${cmd}`;
  const isTold = ({ messages }: ChatRequest): boolean =>
    messages.some(({ content = '' }) => content.includes(words) && content.includes(cmd));
  const faults: string[] = [];
  const expected: ChatRequest | null = undisturbed ? JSON.parse(undisturbed.body) : null;
  if (!isTold(seen) || (expected !== null && isTold(expected)))
    faults.push(`the model is not told "${words}": ${seen.messages.at(-1)?.content}`);
  if (expected === null) return faults;
  const settings = ({ model, options, tools }: ChatRequest) =>
    JSON.stringify({ model, options, tools });
  const isNative = expected.tools !== undefined;
  if (isNative && settings(seen) !== settings(expected))
    faults.push('the request has other settings');
  const { num_ctx, seed } = seen.options ?? {};
  if (num_ctx !== expected.options?.num_ctx || seed !== expected.options?.seed)
    faults.push('the request has another window or seed');
  return faults;
}

/** Each action is begun once, and has one outcome at most. */
function intentFaults({ journal, before }: KilledRun): string[] {
  const faults: string[] = [];
  const count = (type: 'action_intended' | 'action_finished', id: string) =>
    journal.records.filter((record) => record.type === type && record.id === id).length;
  for (const record of journal.records) {
    if (record.type === 'action_intended' && record.class === 'command') {
      if (count('action_intended', record.id) !== 1) faults.push(`${record.id} was begun twice`);
      if (count('action_finished', record.id) !== 1) faults.push(`${record.id} has no one outcome`);
    }
  }
  const resumed = journal.records.slice(before.journal.records.length);
  const isEnded = before.journal.records.at(-1)?.type === 'run_finished';
  const hasNoted = resumed.some(({ type }: { readonly type: string }) => NOTES.has(type));
  if (before.journal.records.length > 0 && !isEnded && !hasNoted)
    faults.push('the resume is not in the journal');
  return faults;
}

/** What the next process of a run, or of a conversation, begins with. */
const NOTES: ReadonlySet<string> = new Set(['lease_taken', 'session_resumed']);
