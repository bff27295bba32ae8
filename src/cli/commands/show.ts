import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { escapedJson, sanitize } from '../../lib/text/plain-text.ts';
import type { CommandContext } from '../command-context.ts';
import { type JournalLine, JournalTail, journalPath } from '../journal-tail.ts';
import { dayAndTime } from '../local-time.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { columnsOf, foldToWidth, printFolded } from '../render/text/fold.ts';
import { inLine } from '../render/text/text.ts';
import { selectedRun } from '../selected-run.ts';
import { wantsJson } from './print.ts';

/** `agent show 12`: prints one record of the journal in full. Texts appear as they are, not as JSON. */
export function showCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace, recordNumber } = invocation;
  const run = selectedRun(context);
  let line: JournalLine | undefined;
  let count = 0;
  for (const lines of new JournalTail(journalPath(workspace, run)).batches()) {
    line ??= lines.find(({ record }) => record?.seq === recordNumber);
    count += lines.length;
    if (line !== undefined) break;
  }
  if (count === 0) engine.readRun(workspace, run?.id);
  if (line === undefined || line.record === null) throw noRecord(recordNumber, count);
  if (wantsJson(context)) {
    terminal.stdout.write(`${escapedJson(line.text)}\n`);
    return Promise.resolve(0);
  }
  const { seq, ts, type, ...fields } = line.record;
  const doubt = line.isChanged ? ' (damaged: does not match its checksum)' : '';
  const { stdout } = terminal;
  printFolded(stdout, `${seq}  ${dayAndTime(ts)}  ${inLine(type)}${doubt}\n`);
  const width = columnsOf(stdout, Number.POSITIVE_INFINITY);
  const body = Object.entries(fields).flatMap(([name, value]) =>
    fieldLines(name, value, '  ', width),
  );
  stdout.write(body.map((line) => `${line}\n`).join(''));
  return Promise.resolve(0);
}

const noRecord = (wanted: number | null, count: number): TardigradeError =>
  count === 0
    ? usageError(
        'There is no run in this folder yet.',
        `Begin one: ${AGENT} "goal". If it is in another folder, add --workspace.`,
      )
    : misuse(`There is no record ${wanted ?? ''} in this run.`, 'See them all', {
        command: ['history', '--raw'],
      });

/** A text of several lines goes below its name; a short value goes beside it. */
function fieldLines(
  name: string,
  value: unknown,
  indent: string,
  width: number,
): readonly string[] {
  const title = `${indent}${inLine(name)}`;
  if (typeof value === 'string' && value.includes('\n')) {
    return [
      title,
      ...sanitize(value)
        .split('\n')
        .map((line) => `${indent}  ${line}`),
    ];
  }
  if (typeof value === 'string') return [foldToWidth(`${title}  ${inLine(value)}`, width)];
  if (typeof value !== 'object' || value === null) return [`${title}  ${JSON.stringify(value)}`];
  const parts = Object.entries(value);
  if (parts.length === 0) return [`${title}  ${Array.isArray(value) ? '[]' : '{}'}`];
  const inside = `${indent}  `;
  return [title, ...parts.flatMap(([part, inner]) => fieldLines(part, inner, inside, width))];
}
