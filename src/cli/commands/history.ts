import { escapedJson, jsonText } from '../../lib/plain-text.ts';
import type { Stamped } from '../../schema/records.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-codes.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { type JournalLine, JournalTail, journalPath } from '../journal-tail.ts';
import { describeRecord } from '../render/describe.ts';
import { createStyle, type Style } from '../render/style.ts';
import { cut, inLine, oneLine } from '../render/text.ts';
import { sayNoRun, wantsJson } from './say.ts';

const FOLLOW_MS = 250;

/** `agent history`: the journal one record a line; `--json` gives the records as they are on disk. */
export async function historyCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const tail = new JournalTail(journalPath(invocation.workspace));
  const first = tail.read();
  const isFollowing = invocation.flags.has('follow');
  if (first.length === 0 && !isFollowing) {
    // It may be that there can be none, and then that is what is said.
    context.engine.readRun(invocation.workspace);
    return wantsJson(context) ? 0 : sayNoRun(context);
  }
  const show = printer(context);
  show(first);
  if (!isFollowing) return 0;
  const interrupt = listenForInterrupt(terminal, EXIT.achieved, {
    onFirst: () => {},
    onSecond: () => {},
  });
  try {
    while (!interrupt.signal.aborted && !terminal.stdout.isClosed()) {
      await terminal.clock.sleep(FOLLOW_MS, interrupt.signal).catch(() => {});
      show(tail.read());
    }
  } finally {
    interrupt.dispose();
  }
  return 0;
}

function printer(context: CommandContext): (lines: readonly JournalLine[]) => void {
  const { stdout, env, platform } = context.terminal;
  if (wantsJson(context)) {
    return (lines) => {
      if (lines.length > 0) stdout.write(lines.map((line) => `${jsonOf(line)}\n`).join(''));
    };
  }
  const style = createStyle(env, platform, stdout.isTerminal);
  const width = (): number => {
    if (context.invocation.verbosity === 'debug') return Number.POSITIVE_INFINITY;
    return stdout.isTerminal ? stdout.size().columns - 1 : 240;
  };
  return (lines) => {
    if (lines.length === 0) return;
    stdout.write(lines.map((line) => `${historyLine(line, width(), style)}\n`).join(''));
  };
}

/** A line as it is on disk, with nothing raw that a terminal would act on; one that is not a record says so. */
const jsonOf = ({ text, record }: JournalLine): string =>
  record === null ? jsonText({ type: 'unreadable', text }) : escapedJson(text);

/** `  12 14:03:22 action_finished   1.1#1#0 write_file ok (3 ms): Wrote 22 chars`. */
export function historyLine(
  { text, record, isChanged }: JournalLine,
  width: number,
  style: Style,
): string {
  const { ellipsis } = style.glyphs;
  if (record === null) {
    return style.paint('bad', cut(`   ? unreadable: ${oneLine(text)}`, width, ellipsis));
  }
  const time = timeOf(record.ts);
  const place = `${String(record.seq).padStart(4)} ${time} ${oneLine(record.type).padEnd(16)}`;
  if (isChanged) {
    const doubt = '(damaged: does not match its checksum)';
    const line = inLine(`${place} ${doubt} ${describeSafely(record)}`);
    return style.paint('bad', cut(line, width, ellipsis));
  }
  return cut(inLine(`${place} ${describeSafely(record)}`), width, ellipsis);
}

/** The journal may come from elsewhere, and then any number. */
function timeOf(ts: number): string {
  const time = new Date(ts);
  return Number.isNaN(time.getTime()) ? '--:--:--' : time.toISOString().slice(11, 19);
}

/** A record of another version may lack what its type promises; it is shown as it is then. */
function describeSafely(record: Stamped): string {
  try {
    return describeRecord(record);
  } catch {
    return oneLine(JSON.stringify(record));
  }
}
