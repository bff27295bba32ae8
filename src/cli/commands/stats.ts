import { statusOf } from '../../host/journals/run-status.ts';
import { type CountedRun, type StatsRow, statsOf } from '../../host/journals/stats.ts';
import { refusalOf } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { listStoredSessions, readSession } from '../../sessions/places.ts';
import { dollars } from '../../shown/costs.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { printFolded } from '../render/text/fold.ts';
import { count, oneLine, plural, widthOf } from '../render/text/text.ts';
import { printJson, wantsJson } from './print.ts';

/** `agent stats`: counts this user's own runs and conversations, from the journals of the known folders. */
export async function statsCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const folders = [...new Set([...engine.knownFolders(), nodeFileSystem.realpath(workspace)])];
  const looked = folders.map((folder) => lookAt(context, folder));
  const rows = statsOf(looked.flatMap(({ runs }) => runs));
  const unread = looked.flatMap((each) => each.unread);
  if (wantsJson(context)) return printJson(context, { folders, rows, unread });
  const wide = table(rows);
  const { stdout } = terminal;
  const fits = !stdout.isTerminal || wide.every((line) => widthOf(line) < stdout.size().columns);
  printFolded(stdout, (fits ? wide : narrow(rows)).map((line) => `${line}\n`).join(''));
  if (verbosityOf(invocation) !== 'quiet') {
    const words = wordsBelow(folders.length, rows, unread);
    printFolded(terminal.stderr, `${words.map((line) => `${line}\n`).join('')}`);
  }
  return 0;
}

/**
 * Counts only what this user's agent began: a run that came with a folder belongs to somebody else.
 * @returns also a line for whatever could not be read
 */
function lookAt({ engine }: CommandContext, folder: string) {
  const runs: CountedRun[] = [];
  const unread: string[] = [];
  const tried = (what: string, work: () => void): void => {
    const refusal = refusalOf(work);
    if (refusal !== null) unread.push(`${what}: ${refusal.message}`);
  };
  tried(folder, () => {
    for (const { id, number, isCurrent } of engine.listRuns(folder))
      tried(`${folder}, run ${number ?? id}`, () => {
        const belief = engine.beliefIn(folder, id);
        if (belief.kind !== 'own') return;
        const owner = isCurrent ? engine.lockOwner(folder) : null;
        runs.push({ state: belief.state, standing: statusOf(belief.state, owner) });
      });
    for (const { id, number } of listStoredSessions(nodeFileSystem, folder))
      tried(`${folder}, conversation ${number}`, () => {
        const state = readSession(nodeFileSystem, folder, id);
        if (state !== null) runs.push({ state, standing: statusOf(state, null) });
      });
  });
  return { runs, unread };
}

const HEAD = [
  'model',
  'driver',
  'runs',
  'proved',
  'answered',
  'unverified',
  'failed',
  'open',
  'undone',
  'tokens',
  'paid',
];

function table(rows: readonly StatsRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_name, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, at) => {
        const room = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
        return at < 2 ? `${cell}${room}` : `${room}${cell}`;
      })
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf(row: StatsRow): readonly string[] {
  const ends = [row.achieved, row.answered, row.unverified, row.failed, row.open, row.undone];
  const isTalk = row.driver === 'chat';
  return [
    oneLine(row.model),
    row.driver,
    count(row.runs),
    ...ends.map((value) => (isTalk ? '' : count(value))),
    count(row.tokensIn + row.tokensOut),
    paid(row),
  ];
}

/** A row in a few lines, for a window too narrow for the table. */
function narrow(rows: readonly StatsRow[]): readonly string[] {
  return rows.flatMap((row) => {
    const cells = cellsOf(row).map((cell, at) => (cell === '' ? '' : `${HEAD[at]} ${cell}`));
    const ends = row.driver === 'chat' ? [] : cells.slice(3, 9);
    return [
      `${oneLine(row.model)} (${row.driver})`,
      ...(ends.length > 0 ? [`  ${count(row.runs)}: ${ends.join(', ')}`] : []),
      `  ${cells.slice(9).filter(Boolean).join(', ')}`,
    ];
  });
}

function paid({ costUsd, unpricedTurns }: StatsRow): string {
  if (costUsd === 0) return unpricedTurns > 0 ? '?' : '';
  return `${unpricedTurns > 0 ? '≥ ' : ''}${dollars(costUsd)}`;
}

function wordsBelow(
  folders: number,
  rows: readonly StatsRow[],
  unread: readonly string[],
): readonly string[] {
  const withheld = rows.reduce((sum, row) => sum + row.withheld, 0);
  return [
    rows.length === 0
      ? 'No run or conversation of yours is known yet.'
      : `From the journals of ${plural(folders, 'folder')}; nothing leaves this machine. Proved means that the runs showed it, not that it is right: look at it.`,
    ...(withheld > 0
      ? [`Changes of ${plural(withheld, 'run')} are withheld and not applied.`]
      : []),
    ...(unread.length > 0 ? [`Left out, since it cannot be read: ${unread.join('; ')}`] : []),
  ];
}
