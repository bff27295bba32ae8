/** What a record of the journal adds to what the page knows, beside the event that says what it means. */
import type { FileChange } from '../../schema/actions.ts';
import type { Check, Proof } from '../../schema/plan.ts';
import type { JournalRecord, RecordOf, Stamped } from '../../schema/records.ts';
import type { StoredText } from '../../schema/text.ts';
import { sayAnswer } from './answers.ts';
import { isNamed, redOf, testsFailed } from './checks.ts';
import { type ActionEntry, add, addMark, type ChangedFile, count, type Draft } from './work.ts';

/** Of a kind that a later version wrote it says only when something happened. */
export function takeRecord(
  draft: Draft,
  record: { readonly type: string; readonly seq: number; readonly ts: number },
): void {
  const isGap = record.type === 'run_resumed' || record.type === 'lease_taken';
  if (!isGap && draft.lastAt > 0) draft.workedMs += Math.max(0, record.ts - draft.lastAt);
  const before = draft.lastAt;
  draft.seq = record.seq;
  draft.lastAt = record.ts;
  takeKnown(draft, record as unknown as Stamped, before);
}

function takeKnown(draft: Draft, record: JournalRecord, before: number): void {
  switch (record.type) {
    case 'run_opened':
      takeOpening(draft, record);
      return;
    case 'settings_changed':
      draft.model = record.model;
      draft.driver = record.driver;
      draft.window = record.numCtx;
      return;
    case 'lease_taken':
      takeLease(draft, record, before);
      return;
    case 'run_resumed':
      draft.standing = 'working';
      draft.why = '';
      addMark(draft, 'resumed', 'Resumed');
      return;
    case 'run_paused':
      draft.turnNow = null;
      draft.standing = record.why === 'waiting_for_person' ? 'waiting' : 'paused';
      draft.why = record.detail;
      draft.hint = record.hint ?? '';
      addMark(draft, 'paused', record.detail, true);
      return;
    case 'run_finished':
      draft.turnNow = null;
      draft.actionNow = null;
      draft.active = '';
      draft.standing = record.ending;
      draft.why = record.detail;
      draft.needs = record.needs ?? '';
      addMark(draft, 'finished', record.detail, record.ending === 'failed');
      return;
    case 'verdict_given':
      draft.trial = '';
      draft.verdict = record.words;
      draft.isKnown = record.isProved;
      draft.beyond = record.beyond ?? null;
      return;
    default:
      takeStep(draft, record);
  }
}

function takeStep(draft: Draft, record: JournalRecord): void {
  switch (record.type) {
    case 'action_intended':
      takeIntent(draft, record);
      return;
    case 'action_finished':
      takeOutcome(draft, record);
      return;
    case 'files_changed':
      for (const file of record.files) takeFile(draft, changedIn(file));
      return;
    case 'check_ran':
      takeCheck(draft, record);
      return;
    case 'rewound':
      addMark(draft, 'taken_back', `The last answer was taken back: ${record.why}`);
      return;
    case 'wait_started':
      draft.wait = record.why;
      return;
    case 'wait_ended':
      draft.wait = '';
      return;
    case 'approval_given':
      addMark(draft, 'answered', sayAnswer(record));
      return;
    case 'undo_started':
      addMark(draft, 'undone', `Undo: ${namesOf(record.files)}`);
      return;
    case 'file_restored':
      if (record.skipped === '') draft.putBack = [...draft.putBack, record.path];
      else draft.leftAlone = [...draft.leftAlone, record.path];
      return;
    case 'command_used':
      add(draft, {
        ...{ kind: 'command', line: `/${record.command} ${textOf(record.text)}`.trimEnd() },
        text: textOf(record.result),
      });
      return;
    case 'swap_started':
      addMark(draft, 'put_back', 'Its changes were put aside or brought in as one set');
      return;
    default:
  }
}

function takeOpening(draft: Draft, record: RecordOf<'run_opened'>): void {
  draft.run = record.run;
  draft.number = record.number ?? draft.number;
  draft.isConversation = record.conversation !== undefined;
  draft.title = record.conversation?.name ?? record.goal;
  draft.startedAt = record.startedAt;
  draft.standing = draft.isConversation ? 'idle' : 'working';
  addMark(draft, 'opened', draft.isConversation ? 'The conversation began' : 'The run began');
}

/**
 * Another process goes on: where nothing had ended before, the one before it was cut off. A worker of a fleet also
 * gives a run up between two steps, so only a call that was under way shows that a worker was cut off.
 */
function takeLease(draft: Draft, { worker }: RecordOf<'lease_taken'>, before: number): void {
  const isOpen = draft.standing === 'working' || draft.standing === 'waiting';
  const wasCut = worker === undefined || draft.actionNow !== null;
  draft.turnNow = null;
  draft.actionNow = null;
  if (!isOpen) return;
  const now = draft.lastAt;
  draft.lastAt = before;
  if (wasCut)
    addMark(draft, 'killed', 'The process that worked on it stopped here unexpectedly', true);
  draft.lastAt = now;
  addMark(draft, 'resumed', `${nameOf(worker)} continues where it was`);
}

const nameOf = (worker: string | undefined): string =>
  worker === undefined ? 'Another process' : `Worker ${worker}`;

function takeIntent(draft: Draft, record: RecordOf<'action_intended'>): void {
  // Checks have an entry of their own.
  if (record.class === 'check') return;
  const { id, tool: name, args, files } = record;
  const target = targetIn(args);
  draft.actionNow = { id, name, target, output: '' };
  add(draft, {
    ...{ kind: 'action', id, name, target, args, status: 'running', content: '', command: null },
    ...{ ms: null, files: files.map(changedIn) },
  });
}

function takeOutcome(draft: Draft, record: RecordOf<'action_finished'>): void {
  const { id, tool: name, status, result, facts } = record;
  const at = draft.entries.findLastIndex((entry) => entry.kind === 'action' && entry.id === id);
  const target = record.target ?? '';
  const ended = { status, content: textOf(result), ms: facts.durationMs ?? null };
  const entry = draft.entries[at] as ActionEntry | undefined;
  if (draft.actionNow?.id === id) draft.actionNow = null;
  if (entry === undefined) {
    add(draft, {
      ...{ kind: 'action', id, name, target, args: {}, command: null, files: [] },
      ...ended,
    });
  } else {
    // Only a failure before the first change has both.
    const isRed = facts.asBefore === true && facts.failing !== undefined;
    const red = isRed ? { failedBefore: redOf({ facts, cmd: target }, {}) } : {};
    draft.entries[at] = { ...entry, ...ended, ...red, target: target || entry.target };
  }
  draft.actions += 1;
  const files = status === 'ok' ? (entry?.files ?? []) : [];
  for (const file of files) takeFile(draft, file);
  count(draft, {
    actions: 1,
    added: files.reduce((all, file) => all + file.added, 0),
    removed: files.reduce((all, file) => all + file.removed, 0),
  });
}

/** A file counts once, with all its lines that came and went. What it names and the run makes was not there before. */
function takeFile(draft: Draft, file: ChangedFile): void {
  if (file.became === 'made')
    draft.entries.forEach((one, at) => {
      const isBefore = one.kind === 'check' && one.when === 'before' && one.red === 'unknown';
      if (isBefore && isNamed(one.what, file.path)) draft.entries[at] = { ...one, red: 'absent' };
    });
  const known = draft.files[file.path];
  const became = known?.became === 'made' && file.became === 'changed' ? 'made' : file.became;
  draft.files[file.path] = {
    path: file.path,
    became,
    added: (known?.added ?? 0) + file.added,
    removed: (known?.removed ?? 0) + file.removed,
  };
}

const changedIn = ({ path, before, after, lines }: FileChange): ChangedFile => ({
  path,
  became: before === null ? 'made' : after === null ? 'removed' : 'changed',
  added: lines?.added ?? 0,
  removed: lines?.removed ?? 0,
});

/** Copies in which the work of the run, or a part of it, is not there. */
const TAKEN_AWAY: ReadonlySet<string> = new Set([
  ...['before', 'old_code', 'emptied', 'constant', 'no_value', 'without', 'example', 'put_back'],
]);

function takeCheck(draft: Draft, record: RecordOf<'check_ran'>): void {
  const { proof, when, passed, check, text, printed, scratch, facts } = record;
  const cmd = 'cmd' in check ? check.cmd : '';
  add(draft, {
    ...{ kind: 'check', isProof: proof, when: when ?? '', passed, what: sayCheck(check) },
    ...{ text: textOf(text), printed: printed === undefined ? '' : textOf(printed) },
    ...{ copy: scratch?.what ?? '', about: scratch?.about ?? '' },
    isMeantToFail: scratch !== undefined && TAKEN_AWAY.has(scratch.what),
    isSkipped: scratch?.skipped === true,
    ...{ red: redOf({ ...record, cmd }, draft.files), failedTests: testsFailed(facts) },
    exitCode: facts.exitCode ?? null,
  });
}

function sayCheck(check: Check | Proof): string {
  if (!('type' in check)) return check.cmd;
  switch (check.type) {
    case 'file_exists':
      return `${check.path} exists`;
    case 'file_contains':
      return `${check.path} contains “${check.text}”`;
    case 'command_succeeds':
      return check.cmd;
    case 'goal_example':
      return check.says;
    default:
      return check satisfies never;
  }
}

/** The first of the arguments that is a text: what a call is about stands first. */
function targetIn(args: { readonly [name: string]: unknown }): string {
  const text = Object.values(args).find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? (text.split('\n')[0] ?? '') : '';
}

const namesOf = (files: readonly string[]): string =>
  files.length === 0 ? 'nothing' : files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');

const textOf = (text: StoredText): string => (typeof text === 'string' ? text : text.head);
