import { escapedJson, jsonText } from '../../lib/text/plain-text.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { Stamped } from '../../schema/records.ts';
import type { CommandContext } from '../command-context.ts';
import { type JournalLine, JournalTail, journalPath } from '../journal-tail.ts';
import { calendarDay, clockTime } from '../local-time.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { rawRecord } from '../render/records/describe.ts';
import { historyWords, withTargets } from '../render/records/history-words.ts';
import { planStands } from '../render/records/tried.ts';
import { columnsOf, fill, printFolded } from '../render/text/fold.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { cut, inLine, oneLine } from '../render/text/text.ts';
import { selectedRun } from '../selected-run.ts';
import { printNoRun, wantsJson } from './print.ts';

const FOLLOW_MS = 250;
/** The most rows of one record on a screen; `agent show` prints all of it. */
const MAX_ROWS = 4;

/**
 * `agent history`: prints what happened in words, one line each. `--raw` prints every record with its fields, `--json`
 * prints the records as they are on disk.
 */
export async function historyCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const run = selectedRun(context);
  const tail = new JournalTail(journalPath(invocation.workspace, run));
  const show = printer(context);
  let isEmpty = true;
  for (const lines of tail.batches()) {
    isEmpty = false;
    show(lines);
    if (terminal.stdout.isClosed()) return 0;
  }
  const isFollowing = invocation.follow === true;
  if (isEmpty && !isFollowing) {
    // If the journal is lost, reading the run throws and says so.
    context.engine.readRun(invocation.workspace, run?.id);
    return wantsJson(context) ? 0 : printNoRun(context);
  }
  if (!isFollowing) return 0;
  const interrupt = listenForInterrupt(terminal, EXIT.achieved);
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
  const { stdout } = context.terminal;
  const { verbose, raw } = context.invocation;
  if (wantsJson(context)) {
    return (lines) => {
      if (lines.length > 0) stdout.write(lines.map((line) => `${jsonOf(line)}\n`).join(''));
    };
  }
  const style = createStyle(context.terminal, stdout);
  const width = (): number => (verbose === true ? Number.POSITIVE_INFINITY : columnsOf(stdout));
  const isRaw = raw === true;
  const completed = withTargets();
  let day = '';
  let hasPlan = false;
  const dayLine = ({ record }: JournalLine): readonly string[] => {
    const today = record === null ? day : calendarDay(record.ts);
    if (isRaw || today === day) return [];
    day = today;
    return [style.paint('dim', today)];
  };
  return (lines) => {
    const text = lines.flatMap((read) => {
      const line = read.record === null ? read : { ...read, record: completed(read.record) };
      const shown = isRaw
        ? historyLine(line, width(), style)
        : foldedHistoryLine(line, width(), style, stdout.isTerminal ? MAX_ROWS : 1, hasPlan);
      hasPlan = line.record === null ? hasPlan : planStands(line.record, hasPlan);
      return shown === null ? [] : [...dayLine(line), shown];
    });
    if (text.length > 0) printFolded(stdout, `${text.join('\n')}\n`);
  };
}

/** A line as it is on disk, escaped for a terminal; a line that is not a record is marked as such. */
const jsonOf = ({ text, record }: JournalLine): string =>
  record === null ? jsonText({ type: 'unreadable', text }) : escapedJson(text);

/** `  12 14:03:22 write hello.js, 3 ms`, folded; `null` for a record that matters only to the engine. */
export function foldedHistoryLine(
  line: JournalLine,
  width: number,
  style: Style,
  rows = 1,
  hasPlan = true,
): string | null {
  const { record, isChanged } = line;
  if (record === null || isChanged) return historyLine(line, width, style);
  const words = safely(record, (one) => historyWords(one, hasPlan));
  if (words === null) return null;
  const place = `${String(record.seq).padStart(4)} ${clockTime(record.ts)}`;
  const text = inLine(`${place} ${words}`);
  const room = rows === 1 ? width : width + (rows - 1) * (width - place.length - 1);
  return fill(cut(text, room, style.glyphs.ellipsis), width, place.length + 1).join('\n');
}

/** `  12 14:03:22 subtask_started  {"subtask":"1.1"}`. */
export function historyLine(
  { text, record, isChanged }: JournalLine,
  width: number,
  style: Style,
): string {
  const { ellipsis } = style.glyphs;
  if (record === null)
    return style.paint('bad', cut(`   ? unreadable: ${oneLine(text)}`, width, ellipsis));
  const time = clockTime(record.ts);
  const place = `${String(record.seq).padStart(4)} ${time} ${oneLine(record.type).padEnd(16)}`;
  if (isChanged) {
    const doubt = '(damaged: does not match its checksum)';
    const line = inLine(`${place} ${doubt} ${safely(record, rawRecord)}`);
    return style.paint('bad', cut(line, width, ellipsis));
  }
  return cut(inLine(`${place} ${safely(record, rawRecord)}`), width, ellipsis);
}

/** A record of another version may lack fields that its type promises; it is then shown as raw text. */
function safely<Words extends string | null>(
  record: Stamped,
  words: (record: Stamped) => Words,
): Words | string {
  try {
    return words(record);
  } catch {
    return oneLine(JSON.stringify(record));
  }
}
