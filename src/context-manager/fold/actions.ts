import type { FileFacts } from '../../schema/actions.ts';
import type { ToolCall } from '../../schema/messages.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { ActiveSubtask, CommandFact, KnownFile, RunState } from '../../schema/state.ts';
import { observe } from '../loop-detector.ts';
import { argumentText, headOf, storedArgument } from './text.ts';

const FILE_TOOLS = new Set(['list_dir', 'read_file', 'write_file', 'edit_file']);
const CONTENT_TRIES = 3;
const FAULTS_KEPT = 6;
const STUBS_KEPT = 20;

export const foldActionIntended = (
  state: RunState,
  record: Located<RecordOf<'action_intended'>>,
): RunState => ({
  ...state,
  intents: {
    ...state.intents,
    [record.id]: {
      id: record.id,
      seq: record.seq,
      offset: record.offset,
      class: record.class,
      tool: record.tool,
      signature: record.signature,
      files: record.files,
      process: null,
    },
  },
});

export function foldActionStarted(state: RunState, record: RecordOf<'action_started'>): RunState {
  const intent = state.intents[record.id];
  if (!intent) return state;
  const process = { pid: record.pid, startTime: record.startTime };
  return { ...state, intents: { ...state.intents, [record.id]: { ...intent, process } } };
}

type Finished = Located<RecordOf<'action_finished'>>;

export function foldActionFinished(state: RunState, record: Finished): RunState {
  const call = state.pending?.calls[state.pending.next];
  const settled: RunState = {
    ...state,
    intents: withoutIntent(state.intents, record.id),
    counters: { ...state.counters, actions: state.counters.actions + 1 },
    round: state.round && { ...state.round, actions: state.round.actions + 1 },
    files: knownFiles(state.files, record),
    commands: commandsAfter(state, record, call),
    recentErrors: errorsAfter(state, record),
    loop: isJudged(record)
      ? observe(state.loop, {
          signature: record.signature,
          result: record.resultHash,
          changed: record.facts.changed ?? false,
          fileTool: FILE_TOOLS.has(record.tool),
        })
      : state.loop,
    active: state.active && mending(activeAfter(state, state.active, record, call), record.facts),
    wantsContent: contentAfter(state, record),
  };
  return { ...settled, pending: pendingAfter(state, record) };
}

/** Held back by the loop guard or the policy; a completion's gate counts by itself. */
const isRefusedCall = (record: Finished): boolean =>
  record.status === 'blocked' ||
  (record.status === 'denied' && record.tool !== 'mark_subtask_complete');

const isJudged = (record: Finished): boolean =>
  !['blocked', 'not_run', 'denied'].includes(record.status) &&
  record.tool !== 'mark_subtask_complete';

function withoutIntent(intents: RunState['intents'], id: string | null): RunState['intents'] {
  return Object.fromEntries(Object.entries(intents).filter(([open]) => open !== id));
}

function pendingAfter(state: RunState, record: Finished): RunState['pending'] {
  if (!state.pending) return null;
  return {
    ...state.pending,
    next: state.pending.next + 1,
    isHalted:
      state.pending.isHalted ||
      !['ok', 'error'].includes(record.status) ||
      (record.tool === 'mark_subtask_complete' && record.status === 'ok'),
    untold: {
      seq: record.seq,
      offset: record.offset,
      callId: record.callId,
      tool: record.tool,
    },
  };
}

function activeAfter(
  state: RunState,
  active: ActiveSubtask,
  record: Finished,
  call: ToolCall | undefined,
): ActiveSubtask {
  const target = call ? targetOf(call) : '';
  const stub = { id: record.id, tool: record.tool, target, status: record.status };
  const after: ActiveSubtask = {
    ...active,
    stubs: [...active.stubs, { ...stub, head: headOf(record.result) }].slice(-STUBS_KEPT),
    blocks: active.blocks + (isRefusedCall(record) ? 1 : 0),
  };
  if (record.tool !== 'mark_subtask_complete') {
    // In json mode the engine runs a failed check again once something was mended.
    const isUntouched = isCopy(state, record);
    const isMended = state.settings?.mode === 'json' && !isUntouched && isRepairEnd(state, record);
    const isGivenUp = isUntouched && contentAfter(state, record) === null;
    return {
      ...after,
      succeeded: after.succeeded + (isGood(record) ? 1 : 0),
      claim:
        isMended && after.claim && !after.claim.isOpen
          ? { ...after.claim, isOpen: true, checks: [] }
          : after.claim,
      repairs: repairsAfter(state, after, record),
      standsBy: isGivenUp ? [...after.standsBy, target] : after.standsBy,
    };
  }
  if (record.status === 'denied') return { ...after, gateRefusals: after.gateRefusals + 1 };
  if (record.status !== 'ok' || !call) return after;
  const isSuccess = call.args.success === true;
  return {
    ...after,
    saidFailure: after.saidFailure + (isSuccess ? 0 : 1),
    claim: {
      success: isSuccess,
      reason: argumentText(call.args, 'reason'),
      answer: storedArgument(call.args, 'answer'),
      evidence: record.facts.evidence ?? true,
      isOpen: true,
      checks: [],
    },
  };
}

/** Ended well, and the look at what it wrote found nothing wrong. */
const isGood = (record: Finished): boolean =>
  record.status === 'ok' &&
  (record.facts.exitCode ?? 0) === 0 &&
  (record.facts.files ?? []).every((facts) => facts.problems.length === 0);

/** A file was rewritten to the end of its tries, or a command now ends well. */
const isRepairEnd = (state: RunState, record: Finished): boolean =>
  record.tool === 'write_file'
    ? record.status === 'ok' && contentAfter(state, record) === null
    : isGood(record);

function repairsAfter(
  state: RunState,
  active: ActiveSubtask,
  record: Finished,
): ActiveSubtask['repairs'] {
  const isRepair = state.round?.origin === 'repair' && record.tool === 'write_file';
  if (!isRepair || !isRepairEnd(state, record)) return active.repairs;
  const repaired = Object.keys(record.hashes);
  return Object.fromEntries([
    ...Object.entries(active.repairs),
    ...repaired.map((file): [string, number] => [file, (active.repairs[file] ?? 0) + 1]),
  ]);
}

/** Fewer failing tests than ever are progress: every file may be mended again. */
function mending(active: ActiveSubtask, { failingTests }: Finished['facts']): ActiveSubtask {
  if (failingTests === undefined) return active;
  const { fewestFailing } = active;
  if (fewestFailing === null) return { ...active, fewestFailing: failingTests };
  return failingTests < fewestFailing
    ? { ...active, fewestFailing: failingTests, repairs: {}, standsBy: [] }
    : active;
}

export const targetOf = (call: ToolCall): string =>
  argumentText(call.args, 'cmd') || argumentText(call.args, 'path');

function knownFiles(files: RunState['files'], record: Finished): RunState['files'] {
  const paths = Object.keys(record.hashes);
  if (paths.length === 0) return files;
  const looks = new Map((record.facts.files ?? []).map((facts) => [facts.path, facts]));
  const isWrite = record.status === 'ok' && ['write_file', 'edit_file'].includes(record.tool);
  const changed = paths.map((path): [string, KnownFile] => [
    path,
    knownFile(files[path], looks.get(path), record.hashes[path] ?? null, isWrite),
  ]);
  return { ...files, ...Object.fromEntries(changed) };
}

const knownFile = (
  known: KnownFile | undefined,
  look: FileFacts | undefined,
  hash: string | null,
  isWrite: boolean,
): KnownFile => ({
  hash,
  written: isWrite || (known?.written ?? false),
  problems: look?.problems ?? (isWrite ? [] : (known?.problems ?? [])),
  defines: look?.defines ?? (isWrite ? [] : (known?.defines ?? [])),
  prompts: look?.prompts ?? (isWrite ? [] : (known?.prompts ?? [])),
});

function commandsAfter(
  state: RunState,
  record: Finished,
  call: ToolCall | undefined,
): readonly CommandFact[] {
  if (record.tool !== 'run_cmd' || !call) return state.commands;
  return withCommand(state.commands, {
    cmd: argumentText(call.args, 'cmd'),
    stdin: argumentText(call.args, 'stdin') || null,
    subtask: state.active?.id ?? '',
    status: record.status,
    exitCode: record.facts.exitCode ?? null,
    head: headOf(record.result),
    offset: record.offset,
    asksForInput: record.facts.asksForInput ?? null,
    ...(record.facts.testsRan === undefined ? {} : { testsRan: record.facts.testsRan }),
  });
}

const withCommand = (commands: readonly CommandFact[], command: CommandFact) =>
  [...commands, command].slice(-8);

function errorsAfter(state: RunState, record: Finished): readonly string[] {
  if (record.status === 'ok' || record.status === 'not_run') return state.recentErrors;
  return [...state.recentErrors, `${record.tool}: ${headOf(record.result)}`].slice(-3);
}

/** A repair that repairs nothing: what is in the file already, written again. */
const isCopy = (state: RunState, record: Finished): boolean =>
  state.round?.origin === 'repair' &&
  record.tool === 'write_file' &&
  (record.status === 'blocked' || (record.status === 'ok' && record.facts.changed === false));

/** Content stays wanted until a version without problems is written, or patience ends. */
function contentAfter(state: RunState, record: Finished): RunState['wantsContent'] {
  const wanted = state.wantsContent;
  if (!wanted || record.tool !== 'write_file') return wanted;
  const tries = wanted.tries + 1;
  // Written the same without being shown: asked a third time, a model breaks what is right.
  if (isCopy(state, record))
    return wanted.isAnew || tries >= CONTENT_TRIES
      ? null
      : { ...wanted, tries, faults: [], isAnew: true };
  const problems = (record.facts.files ?? []).flatMap((facts) => facts.problems);
  if (record.status === 'ok' && problems.length === 0) return null;
  const found = record.status === 'ok' ? problems : [headOf(record.result, 200)];
  // Earlier faults stay: a model that mends one of them brings another one back.
  const faults = [...new Set([...found, ...wanted.faults])].slice(0, FAULTS_KEPT);
  return tries < CONTENT_TRIES ? { ...wanted, tries, faults } : null;
}

export function foldCheck(state: RunState, record: Located<RecordOf<'check_ran'>>): RunState {
  const text = headOf(record.text);
  const claim = state.active?.claim;
  const cmd = 'cmd' in record.check ? record.check.cmd : null;
  return {
    ...state,
    intents: withoutIntent(state.intents, record.id),
    active:
      state.active &&
      mending(
        claim
          ? {
              ...state.active,
              claim: { ...claim, checks: [...claim.checks, { passed: record.passed, text }] },
            }
          : state.active,
        record.facts,
      ),
    proof: record.proof ? { passed: record.passed, text } : state.proof,
    counters: {
      ...state.counters,
      proofTries: state.counters.proofTries + (record.proof ? 1 : 0),
    },
    commands:
      cmd === null
        ? state.commands
        : withCommand(state.commands, {
            cmd,
            stdin: ('stdin' in record.check ? record.check.stdin : undefined) ?? null,
            subtask: record.subtask,
            status: record.passed ? 'ok' : 'error',
            exitCode: record.facts.exitCode ?? null,
            head: text,
            offset: record.offset,
            asksForInput: record.facts.asksForInput ?? null,
            ...(record.facts.testsRan === undefined ? {} : { testsRan: record.facts.testsRan }),
          }),
    recentErrors: record.passed
      ? state.recentErrors
      : [...state.recentErrors, `check: ${text}`].slice(-3),
  };
}
