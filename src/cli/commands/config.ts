import { userConfigPath } from '../../host/config/find.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { checkRules } from '../check-rules.ts';
import type { CommandContext } from '../command-context.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { oneLine } from '../render/text/text.ts';
import { allSettings, type SettingRow } from '../setting-rows.ts';
import { printJson, wantsJson } from './print.ts';

/** A longer value moves only its own origin. */
const WIDTH = 34;
/** A screen with less room beside the values shows one entry per line. */
const ORIGIN_WIDTH = 34;

/** `agent config`: prints every setting with its value and origin. No key is shown. */
export async function configCommand(context: CommandContext): Promise<number> {
  const { configured, terminal } = context;
  if (context.invocation.forget !== undefined)
    return (await import('./forget-rules.ts')).forgetRules(context, context.invocation.forget);
  checkRules(context);
  const rows = allSettings(context);
  const own = userConfigPath(terminal);
  const { user = null, project = null } = configured.settings?.config ?? {};
  const files = {
    user: user?.document.file ?? null,
    project: project?.document.file ?? null,
  };
  if (wantsJson(context)) return printJson(context, { files, userFile: own, settings: rows });
  const style = createStyle(terminal, terminal.stdout);
  const cells = rows.map(
    (row) => [row.key, formatValue(row.value), whence(row), toneOf(row)] as const,
  );
  const [first, second] = [0, 1].map((at) =>
    Math.max(...cells.map((cell) => cell[at as 0 | 1].length)),
  );
  const { stdout } = terminal;
  const column = Math.min(second ?? 0, WIDTH);
  const isNarrow = stdout.size().columns < (first ?? 0) + column + ORIGIN_WIDTH;
  for (const [key, value, from, tone] of cells) {
    // Values hold spaces, so another program needs tabs to tell the columns apart.
    if (!stdout.isTerminal) {
      stdout.write(`${key}\t${value}\t${from}\n`);
      continue;
    }
    const line = isNarrow
      ? `${key}: ${value} (${from})`
      : `${key.padEnd(first ?? 0)}  ${value.padEnd(column)}  ${from}`;
    printFolded(stdout, `${style.paint(tone, line.trimEnd())}\n`);
  }
  const where =
    files.user === null
      ? `You have no settings file yet; it would be ${own}`
      : `Yours: ${files.user}`;
  const theirs = files.project === null ? '' : `This project's: ${files.project}\n`;
  printFolded(terminal.stderr, `${where}\n${theirs}`);
  const kept = rows.find(({ origin }) => origin === 'kept');
  if (kept !== undefined) {
    const forget = `${terminal.program} config ${longFlag(OPTIONS.forget)} RULE`;
    printFolded(
      terminal.stderr,
      `What is kept was allowed "always here". To be asked again: ${forget}\n`,
    );
  }
  return 0;
}

const isEmpty = (value: SettingRow['value']): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

const formatValue = (value: SettingRow['value']): string =>
  isEmpty(value) ? '-' : oneLine(Array.isArray(value) ? value.join(', ') : String(value));

/** Values that are set stand out from the defaults. */
const toneOf = ({ origin }: SettingRow) => (origin === 'default' ? 'dim' : 'plain');

/** Where a value comes from; for a default, what sets it besides a settings file. */
function whence({ value, origin, where, ways }: SettingRow): string {
  // Each kept rule has a file of its own, whose name tells a person nothing.
  if (where !== null && origin !== 'kept') return `${origin} ${where}`;
  if (origin !== 'default') return origin;
  return [isEmpty(value) ? 'not set' : origin, ways.join(', ')].filter(Boolean).join('; ');
}
