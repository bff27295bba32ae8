import { ContextManager } from '../../src/context-manager/context-manager.ts';
import { openingOf, runPorts } from '../../src/context-manager/open-or-create.ts';
import { type Layout, layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { createJournal, openJournal } from '../../src/journal/recover.ts';
import type { OpenPorts } from '../../src/journal/replay.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import type { ToolCall } from '../../src/schema/model/messages.ts';
import { NO_USAGE } from '../../src/schema/model/turn.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { meteredDisk } from './metered-disk.ts';

/** What journalling a long run cost, action by action. */
export interface LongRun {
  readonly layout: Layout;
  readonly actions: number;
  /** Milliseconds an action, syncs included. */
  readonly elapsedMs: readonly number[];
  readonly cpuMs: readonly number[];
  readonly writtenBytes: readonly number[];
  readonly records: number;
  readonly journalBytes: number;
}

const SUBTASKS = 20;
const FILES = 50;
/** Messages after which the conversation is shortened. */
const MESSAGES_KEPT = 80;
const TEXT = 'The quick brown fox jumps over the lazy dog, again. '.repeat(18);

export function portsOf(fs: FileSystem, layout: Layout): OpenPorts<RunState, JournalRecord> {
  return runPorts({ fs, layout, clock: systemClock });
}

/** Journals a run of `actions` file writes through the real journal, fold, snapshot and logs. */
export function journalLongRun(workspace: string, actions: number): LongRun {
  const { fs, meter } = meteredDisk();
  const layout = layoutOf(workspace);
  prepareLayout(fs, layout);
  const opened = createJournal(
    portsOf(fs, layout),
    openingOf(`${actions} files`, systemClock.now()),
  );
  const context = new ContextManager(opened, { fs, layout, clock: systemClock, emit: () => {} });
  begin(context);
  const elapsedMs: number[] = [];
  const cpuMs: number[] = [];
  const writtenBytes: number[] = [];
  for (let action = 0; action < actions; action += 1) {
    const before = { ...meter };
    const started = performance.now();
    journalAction(context, action, actions);
    const elapsed = performance.now() - started;
    elapsedMs.push(elapsed);
    cpuMs.push(elapsed - (meter.syncMs - before.syncMs));
    writtenBytes.push(meter.writtenBytes - before.writtenBytes);
  }
  const records = context.state.seq;
  const journalBytes = context.journal.size;
  context.close();
  return { layout, actions, elapsedMs, cpuMs, writtenBytes, records, journalBytes };
}

/** Opens it as a start after `kill -9` does: no last snapshot was written. */
export function reopen({ layout }: LongRun): { readonly ms: number; readonly actions: number } {
  const started = performance.now();
  const opened = openJournal(portsOf(nodeFileSystem, layout));
  const ms = performance.now() - started;
  opened?.journal.close();
  return { ms, actions: opened?.state.counters.actions ?? 0 };
}

function begin(context: ContextManager): void {
  const subtasks = Array.from({ length: SUBTASKS }, (_, index) => ({
    id: `1.${index + 1}`,
    purpose: 'Write files',
    checks: [],
    status: 'pending' as const,
  }));
  const task = { id: '1', description: 'Write many files', subtasks };
  context.record({ type: 'plan_set', plan: { tasks: [task], fallback: false }, why: 'bench' });
}

function journalAction(context: ContextManager, action: number, actions: number): void {
  const perSubtask = Math.ceil(actions / SUBTASKS);
  const subtask = `1.${Math.floor(action / perSubtask) + 1}`;
  if (action % perSubtask === 0) context.record({ type: 'subtask_started', subtask });
  const n = action + 1;
  const path = `src/file-${action % FILES}.txt`;
  const call = { id: `call_${n}`, name: 'write_file', args: { path, content: `${n} ${TEXT}` } };
  const id = `${subtask}#${n}#0`;
  const hash = n.toString(16).padStart(64, '0');
  context.record({ type: 'round_started', n, subtask, origin: 'decision' });
  context.sync('request');
  context.record({
    type: 'turn_finished',
    turn: n,
    round: n,
    attempt: 1,
    purpose: 'action',
    temperature: 0.2,
    seed: n,
    status: { kind: 'success' },
    detail: '',
    rawReason: 'stop',
    response: { content: '', toolCalls: [call] },
    decoded: { kind: 'calls', calls: [call], recovered: false },
    usage: { ...NO_USAGE, input: 900, output: 120 },
  });
  journalWrite(context, call, { id, path, hash });
  compactWhenLong(context);
  if ((action + 1) % perSubtask === 0) {
    context.markSubtaskComplete({ subtask, status: 'completed', summary: 'files written' });
  }
}

interface Write {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
}

function journalWrite(context: ContextManager, call: ToolCall, { id, path, hash }: Write): void {
  context.record({
    type: 'action_intended',
    id,
    class: 'write',
    tool: call.name,
    args: call.args,
    signature: hash,
    files: [{ path, before: null, after: hash }],
  });
  context.sync('effect');
  const outcome = context.record({
    type: 'action_finished',
    id,
    tool: call.name,
    touches: 'files',
    does: 'writes_whole_files',
    target: path,
    signature: hash,
    callId: call.id,
    status: 'ok',
    result: `Wrote ${TEXT.length} chars to ${path}`,
    resultHash: hash,
    facts: { changed: true },
    hashes: { [path]: hash },
  });
  context.record({
    type: 'message_added',
    role: 'tool',
    resultOf: outcome.seq,
    cause: 'tool_result',
  });
}

function compactWhenLong(context: ContextManager): void {
  const { conversation } = context.state;
  if (conversation.length < MESSAGES_KEPT) return;
  const [first, last] = [conversation.at(0), conversation.at(-1)];
  if (first && last) context.compactContext(first.seq, last.seq, 'Files were written.');
}
