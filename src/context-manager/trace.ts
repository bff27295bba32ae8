/**
 * Writes `agent.log`, `agent_ledger.log` and `loops.json` for people. They are derived from records, written if
 * possible, and never read back. Nothing here throws.
 */

import type { Layout, StateFolder } from '../journal/layout.ts';
import {
  renameFile,
  TEMPORARY_SUFFIX,
  writeFully,
  writeWholeFile,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { inLine, jsonText, sanitize } from '../lib/text/plain-text.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { Located, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { LoopBlock, LoopWindow } from '../schema/state-parts/run-facts.ts';
import { storedHead } from '../schema/stored-head.ts';

const LINE_LENGTH = 200;

export interface Trace {
  /**
   * Called for every record after it is durable and folded.
   * @param call the call that was pending before the record
   */
  record(record: Located, state: Pick<RunState, 'loop'>, call?: ToolCall): void;
  /** An internal error with its stack; `at` in ms since 1970. */
  internalError(at: number, error: unknown): void;
  close(): void;
}

export const NO_TRACE: Trace = { record: () => {}, internalError: () => {}, close: () => {} };

/** Errors are ignored: these files are a convenience. The journal is what counts, and it reports its own errors. */
export function createTrace({ fs, layout }: StateFolder): Trace {
  /** Open intents, until their outcomes arrive. */
  const intents = new Map<string, RecordOf<'action_intended'>>();
  let blocked: string | null = null;
  let last: LoopWindow | null = null;
  const files = appending(fs);
  const append = (path: string, lines: readonly string[]) => {
    if (lines.length > 0) files.append(path, `${lines.map(inLine).join('\n')}\n`);
  };
  return {
    record: (record, { loop }, call) =>
      orNull(() => {
        // Most records leave the window unchanged.
        if (loop !== last) {
          const now = JSON.stringify([loop.blocked, loop.lifted]);
          if (now !== blocked) writeLoops(fs, layout, loop);
          blocked = now;
          last = loop;
        }
        const stamp = (line: string) => `${new Date(record.ts).toISOString()} ${line}`;
        if (record.type === 'action_intended') intents.set(record.id, record);
        append(layout.log, logLines(record).map(stamp));
        if (record.type !== 'action_finished') return;
        append(layout.ledger, ledgerLines(record, intents.get(record.id), call).map(stamp));
        intents.delete(record.id);
      }),
    internalError: (at, error) =>
      orNull(() => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        const [first = '', ...rest] = sanitize(text).split('\n');
        append(layout.log, [`${new Date(at).toISOString()} ERROR ${first}`, ...rest]);
      }),
    close: files.close,
  };
}

/** Always complete but not synced: losing it in a power loss does no harm. */
function writeLoops(
  fs: FileSystem,
  layout: Layout,
  { blocked, lifted, entries }: LoopWindow,
): void {
  const shown = {
    blocked: Object.values(blocked).map(traceOfBlock),
    lifted: lifted.map(traceOfBlock),
    recent: entries.map(({ tool, args }) => ({ tool, args })),
  };
  const text = `${jsonText(shown, 2)}\n`;
  const temporary = `${layout.loops}${TEMPORARY_SUFFIX}`;
  writeWholeFile(fs, temporary, Buffer.from(text));
  renameFile(fs, temporary, layout.loops);
}

const traceOfBlock = ({ tool, args, rule, at, round }: LoopBlock) => ({
  tool,
  args,
  rule,
  round,
  time: new Date(at).toISOString(),
});

/** Files stay open, because opening one takes longer than writing a line. */
function appending(fs: FileSystem) {
  const open = new Map<string, number>();
  const close = (path: string): void => {
    const fd = open.get(path);
    open.delete(path);
    if (fd !== undefined) orNull(() => fs.close(fd));
  };
  return {
    append: (path: string, text: string): void => {
      const fd = open.get(path) ?? fs.open(path, 'a', 0o600);
      open.set(path, fd);
      try {
        writeFully(fs, fd, Buffer.from(text), fs.size(fd));
      } catch (error) {
        close(path);
        throw error;
      }
    },
    close: (): void => {
      for (const path of [...open.keys()]) close(path);
    },
  };
}

/** One short line without control characters. */
function short(text: string): string {
  // The class of all invisible characters is slow to set up, and most lines do not need it.
  const gaps = /^[\n -~]*$/.test(text) ? /\s+/g : /[\p{Cc}\p{Cf}\s]+/gu;
  const line = text.replaceAll(gaps, ' ').trim();
  return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH)}…`;
}

function logLines(record: Located): string[] {
  switch (record.type) {
    case 'run_opened':
      return [`RUN ${record.run} opened: ${short(record.goal)}`];
    case 'lease_taken':
      return [`RUN taken up by version ${record.version}`];
    case 'run_resumed':
      return [`RUN resumed by version ${record.version}`];
    case 'run_paused':
      return [`RUN paused: ${record.why} ${short(record.detail)}`];
    case 'run_finished':
      return [`RUN finished: ${record.ending} ${short(record.detail)}`];
    case 'subtask_started':
      return [`SUBTASK ${record.subtask} started`];
    case 'subtask_finished':
      return [`SUBTASK ${record.subtask} ${record.status}: ${short(record.summary)}`];
    case 'child_started':
      return record.again ? [] : [`SUBTASK ${record.subtask} started as run ${record.child}`];
    case 'child_joined':
      return [
        `SUBTASK ${record.subtask} ${record.status ?? 'not taken'}: ${short(record.summary)}`,
      ];
    case 'turn_finished':
      return [turnLine(record)];
    case 'action_finished':
      return [
        `TOOL ${record.id} ${record.tool} ${record.status}: ${short(storedHead(record.result))}`,
        ...(FAILED.has(record.status)
          ? [`ERROR ${record.tool} ${record.status}: ${short(storedHead(record.result))}`]
          : []),
      ];
    case 'check_ran':
      return [
        `${record.scratch ? `COPY ${record.scratch.what} ${short(record.scratch.about)}` : 'CHECK'} ${record.passed ? 'passed' : 'failed'}: ${short(storedHead(record.text))}`,
      ];
    case 'replan_started':
      return [`REPLAN ${record.n}: ${short(record.why)}`];
    default:
      return [];
  }
}

function turnLine(record: RecordOf<'turn_finished'>): string {
  const { input, output, cacheRead, modelMs } = record.usage;
  const detail = record.detail === '' ? '' : ` ${short(record.detail)}`;
  return (
    `TURN ${record.turn} attempt ${record.attempt} ${record.purpose} ${record.status.kind}` +
    ` tokens in ${input} cached ${cacheRead} out ${output} in ${modelMs} ms${detail}`
  );
}

const FAILED = new Set([
  'error',
  'timeout',
  'conflict',
  'interrupted',
  'mcp_error',
  'connection_error',
]);
const TRIED = new Set(['denied', 'blocked', 'cancelled', 'not_run']);

function ledgerLines(
  outcome: RecordOf<'action_finished'>,
  intent: RecordOf<'action_intended'> | undefined,
  call: ToolCall | undefined,
): string[] {
  // A blocked call has no intent.
  const args = intent?.args ?? (call?.id === outcome.callId ? call.args : undefined);
  const what = short(`${outcome.tool} ${args === undefined ? '' : JSON.stringify(args)}`);
  if (TRIED.has(outcome.status)) return [`TRIED ${what} ${outcome.status}`];
  if (FAILED.has(outcome.status))
    return [`ERROR ${what} ${outcome.status}: ${short(storedHead(outcome.result))}`];
  if (intent?.class === 'write') return intent.files.map((file) => `WRITE ${short(file.path)}`);
  if (intent?.class !== 'command') return [];
  const { cmd } = intent.args;
  const command = typeof cmd === 'string' ? cmd : what;
  return [`CMD ${short(command)} exit ${outcome.facts.exitCode ?? 'unknown'}`];
}
