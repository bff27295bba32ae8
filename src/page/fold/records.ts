/** Applies journal records to the state: what they add to the events derived from them. */
import type { FileChange } from '../../schema/actions.ts';
import type { RecordOf, RecordType, Stamped } from '../../schema/records.ts';
import { storedHead } from '../../schema/stored-head.ts';
import { answerWords } from '../../shown/answers.ts';
import { shownTargetIn, toolLabel } from '../../shown/calls.ts';
import { describeCheck } from '../../shown/checks.ts';
import { swapWords } from '../../shown/swaps.ts';
import { trialWords } from '../../shown/trials.ts';
import { commandNamesFile, redOf, testsFailed } from './checks.ts';
import { addToSum, beginChild, countChild } from './sums.ts';
import { capital } from './words.ts';
import {
  type ActionEntry,
  addEntry,
  addMark,
  type ChangedFileRow,
  change,
  type WorkDraft,
} from './work.ts';

/** Applies a record. If a later version wrote a record of an unknown kind, only its time counts. */
export function applyRecord(
  draft: WorkDraft,
  record: { readonly type: string; readonly seq: number; readonly ts: number },
): void {
  const isGap = record.type === 'run_resumed' || record.type === 'lease_taken';
  if (!isGap && draft.lastAt > 0) draft.workedMs += Math.max(0, record.ts - draft.lastAt);
  const before = draft.lastAt;
  draft.seq = record.seq;
  draft.lastAt = record.ts;
  const effect = Object.hasOwn(EFFECTS, record.type) ? EFFECTS[record.type as RecordType] : null;
  (effect as Effect<RecordType> | null)?.(draft, record as unknown as Stamped, before);
}

type Effect<Type extends RecordType> = (
  draft: WorkDraft,
  record: RecordOf<Type>,
  /** The time of the record before. */
  before: number,
) => void;

const NO_END = { verdict: '', isProved: false, beyond: null, needs: '' };

const EFFECTS: { readonly [Type in RecordType]?: Effect<Type> } = {
  run_opened: applyOpening,
  settings_changed: (draft, { model, driver, numCtx }) =>
    change(draft, { model, driver, window: numCtx }),
  lease_taken: applyLease,
  run_resumed: (draft) => {
    forgetWork(draft);
    change(draft, { hint: '', standing: 'working', why: '', ...NO_END });
    addMark(draft, 'resumed', 'Resumed');
  },
  run_paused: (draft, { why, detail, hint = '' }) => {
    const standing = why === 'waiting_for_person' ? 'waiting' : 'paused';
    change(draft, { turnNow: null, standing, why: detail, hint });
    addMark(draft, 'paused', detail, true);
  },
  run_finished: (draft, { ending, detail, needs = '' }) => {
    forgetWork(draft);
    change(draft, { hint: '', active: '', questions: [], standing: ending, why: detail, needs });
    addMark(draft, 'finished', detail, ending === 'failed');
  },
  verdict_given: (draft, { words, isProved, beyond = null }) =>
    change(draft, { trial: '', verdict: words, isProved, beyond }),
  action_intended: applyIntent,
  action_finished: applyOutcome,
  files_changed: (draft, { files }) => {
    for (const file of files) applyFile(draft, changedIn(file));
  },
  check_ran: applyCheck,
  rewound: (draft, { why }) =>
    addMark(draft, 'taken_back', `The last answer was taken back: ${why}`),
  child_started: beginChild,
  child_rested: countChild,
  child_ended: countChild,
  wait_started: (draft, { why }) => change(draft, { wait: why }),
  wait_ended: (draft) => change(draft, { wait: '' }),
  approval_given: (draft, record) => addMark(draft, 'answered', capital(answerWords(record))),
  undo_started: (draft, { files }) => addMark(draft, 'undone', `Undo: ${namesOf(files)}`),
  file_restored: (draft, { path, skipped }) => {
    if (skipped === '') draft.putBack = [...draft.putBack, path];
    else draft.leftAlone = [...draft.leftAlone, path];
  },
  command_used: (draft, { command, text, result }) =>
    addEntry(draft, {
      kind: 'command',
      line: `/${command} ${storedHead(text)}`.trimEnd(),
      text: storedHead(result),
    }),
  swap_started: (draft, record) => {
    const words = swapWords(record);
    if (words !== null) addMark(draft, 'put_back', capital(words));
  },
};

/** Forgets the work under way: its process has stopped. */
const forgetWork = (draft: WorkDraft): void =>
  change(draft, { turnNow: null, actionNow: null, trial: '', wait: '' });

function applyOpening(draft: WorkDraft, record: RecordOf<'run_opened'>): void {
  draft.run = record.run;
  draft.number = record.number ?? draft.number;
  draft.isConversation = record.conversation !== undefined;
  draft.title = record.conversation?.name ?? record.goal;
  draft.startedAt = record.startedAt;
  draft.standing = draft.isConversation ? 'idle' : 'working';
  addMark(draft, 'opened', draft.isConversation ? 'The conversation began' : 'The run began');
}

/**
 * Another process takes over: unless the run had ended or paused, the previous process was cut off. A worker of a
 * fleet also hands a run over between two steps, so only an unfinished call shows that a worker was cut off.
 */
function applyLease(draft: WorkDraft, { worker }: RecordOf<'lease_taken'>, before: number): void {
  const isOpen = draft.standing === 'working' || draft.standing === 'waiting';
  const wasCut = worker === undefined || draft.actionNow !== null;
  forgetWork(draft);
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

function applyIntent(draft: WorkDraft, record: RecordOf<'action_intended'>): void {
  // Checks have their own entries.
  if (record.class === 'check') return;
  const { id, tool: name, args, files } = record;
  const target = shownTargetIn(args);
  draft.actionNow = { id, name, target, output: '' };
  addEntry(draft, {
    kind: 'action',
    id,
    name,
    target,
    args,
    status: 'running',
    content: '',
    command: null,
    ms: null,
    files: files.map(changedIn),
  });
}

function applyOutcome(draft: WorkDraft, record: RecordOf<'action_finished'>): void {
  const { id, tool: name, status, result, facts } = record;
  const at = draft.entries.findLastIndex((entry) => entry.kind === 'action' && entry.id === id);
  // The target of a server's tool is its own name, which says nothing of this call.
  const target = record.target === toolLabel(name) ? '' : (record.target ?? '');
  const outcome = { status, content: storedHead(result), ms: facts.durationMs ?? null };
  const entry = draft.entries[at] as ActionEntry | undefined;
  if (draft.actionNow?.id === id) draft.actionNow = null;
  if (entry === undefined) {
    addEntry(draft, {
      kind: 'action',
      id,
      name,
      target,
      args: {},
      command: null,
      files: [],
      ...outcome,
    });
  } else {
    // Only a failure before the first change has both facts.
    const isRed = facts.asBefore === true && facts.failing !== undefined;
    const red = isRed ? { failedBefore: redOf({ facts, cmd: target }, {}) } : {};
    draft.entries[at] = { ...entry, ...outcome, ...red, target: target || entry.target };
  }
  draft.actions += 1;
  const files = status === 'ok' ? (entry?.files ?? []) : [];
  for (const file of files) applyFile(draft, file);
  addToSum(draft, {
    actions: 1,
    added: files.reduce((all, file) => all + file.added, 0),
    removed: files.reduce((all, file) => all + file.removed, 0),
  });
}

/**
 * A file counts once, with all its added and removed lines. A check before the work that names a file which the run
 * creates failed because the file was absent.
 */
function applyFile(draft: WorkDraft, file: ChangedFileRow): void {
  if (file.became === 'made')
    draft.entries.forEach((one, at) => {
      const isBefore = one.kind === 'check' && one.when === 'before' && one.red === 'unknown';
      if (isBefore && commandNamesFile(one.what, file.path))
        draft.entries[at] = { ...one, red: 'absent' };
    });
  const previous = draft.files[file.path];
  const became = previous?.became === 'made' && file.became === 'changed' ? 'made' : file.became;
  draft.files[file.path] = {
    path: file.path,
    became,
    added: (previous?.added ?? 0) + file.added,
    removed: (previous?.removed ?? 0) + file.removed,
  };
}

const changedIn = ({ path, before, after, lines }: FileChange): ChangedFileRow => ({
  path,
  became: before === null ? 'made' : after === null ? 'removed' : 'changed',
  added: lines?.added ?? 0,
  removed: lines?.removed ?? 0,
});

/** Kinds of copies from which the work of the run, or a part of it, is removed. */
const WITHOUT_WORK: ReadonlySet<string> = new Set([
  ...[
    'before',
    'old_code',
    'emptied',
    'constant',
    'no_value',
    'without',
    'example',
    'put_back',
    'altered',
  ],
  ...['blank', 'broken', 'failing'],
]);

function applyCheck(draft: WorkDraft, record: RecordOf<'check_ran'>): void {
  const { proof, when, passed, check, text, printed, scratch, facts } = record;
  const cmd = 'cmd' in check ? check.cmd : '';
  addEntry(draft, {
    kind: 'check',
    isProof: proof,
    when: when ?? '',
    passed,
    what: cmd || describeCheck(check),
    text: storedHead(text),
    printed: printed === undefined ? '' : storedHead(printed),
    copy: scratch === undefined ? '' : trialWords(scratch),
    isMeantToFail: scratch !== undefined && WITHOUT_WORK.has(scratch.what),
    isSkipped: scratch?.skipped === true,
    red: redOf({ ...record, cmd }, draft.files),
    failedTests: testsFailed(facts),
    exitCode: facts.exitCode ?? null,
  });
}

const namesOf = (files: readonly string[]): string =>
  files.length === 0 ? 'nothing' : files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
