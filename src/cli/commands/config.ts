import { userConfigPath } from '../../host/config/find.ts';
import { jsonText } from '../../lib/text/plain-text.ts';
import { checkRules } from '../check-rules.ts';
import type { CommandContext } from '../command-context.ts';
import { printFolded } from '../render/text/fold.ts';
import { oneLine } from '../render/text/text.ts';
import { allSettings, type SettingRow } from '../setting-rows.ts';
import { wantsJson } from './print.ts';

/** A longer value moves only its own origin. */
const WIDTH = 34;
/** A narrower screen shows one entry per line. */
const NARROW = 76;

const KEPT =
  'What is kept was allowed "always here". Take a rule out of that file, or remove it, to be asked again.';

/** `agent config`: prints every setting with its value and origin. No key is shown. */
export async function configCommand(context: CommandContext): Promise<number> {
  const { configured, terminal } = context;
  checkRules(context);
  const rows = allSettings(context);
  const own = userConfigPath(terminal);
  const { user = null, project = null } = configured.settings?.config ?? {};
  const files = {
    user: user?.document.file ?? null,
    project: project?.document.file ?? null,
  };
  if (wantsJson(context)) {
    terminal.stdout.write(`${jsonText({ files, userFile: own, settings: rows }, 2)}\n`);
    return 0;
  }
  const cells = rows.map(
    ({ key, value, ...from }) => [key, formatValue(value), whence(from)] as const,
  );
  const [first, second] = [0, 1].map((at) =>
    Math.max(...cells.map((cell) => cell[at as 0 | 1].length)),
  );
  const { stdout } = terminal;
  const isNarrow = stdout.isTerminal && stdout.size().columns < NARROW;
  const column = Math.min(second ?? 0, WIDTH);
  for (const [key, value, from] of cells) {
    const line = isNarrow
      ? `${key}: ${value} (${from})`
      : `${key.padEnd(first ?? 0)}  ${value.padEnd(column)}  ${from}`;
    printFolded(stdout, `${line.trimEnd()}\n`);
  }
  const where =
    files.user === null
      ? `You have no settings file yet; it would be ${own}`
      : `Yours: ${files.user}`;
  const theirs = files.project === null ? '' : ` This project's: ${files.project}`;
  printFolded(terminal.stderr, `${where}${theirs}\n`);
  const kept = rows.find(({ origin }) => origin === 'kept');
  if (kept !== undefined) printFolded(terminal.stderr, `${KEPT}\n`);
  return 0;
}

const formatValue = (value: SettingRow['value']): string =>
  value === null || (Array.isArray(value) && value.length === 0)
    ? '-'
    : oneLine(Array.isArray(value) ? value.join(', ') : String(value));

const whence = ({ origin, where }: Pick<SettingRow, 'origin' | 'where'>): string =>
  where === null ? origin : `${origin} ${where}`;
