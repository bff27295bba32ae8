import { OPTIONS } from '../../options/table.ts';
import type { CommandContext } from '../command-context.ts';
import { JournalTail, journalPath } from '../journal-tail.ts';
import { columnsOf, foldToWidth } from '../render/text/fold.ts';
import { sanitize } from '../render/text/text.ts';
import type { DemoGoal } from './goals.ts';

/** A pause after every record, so that the eye can follow. */
const PACE_MS = 120;
const LOOK_MS = 20;
/** The child already waits; this gives its last line time to reach the screen. */
const BEFORE_KILL_MS = 400;
const CHILD_TIMEOUT_MS = 120_000;

export async function runChild(
  context: CommandContext,
  goal: DemoGoal,
  folder: string,
  words: readonly string[],
  isToBeKilled: boolean,
  signal: AbortSignal,
) {
  const { terminal, engine } = context;
  const [file = process.execPath, ...first] = terminal.self;
  let pid = 0;
  const finished = new AbortController();
  const programs = await engine.programs(folder);
  const running = programs.run(
    {
      file,
      args: [...first, ...words],
      cwd: folder,
      env: childEnvironment(context, goal, isToBeKilled),
      timeoutMs: CHILD_TIMEOUT_MS,
      maxOutputBytes: 1 << 20,
    },
    {
      signal,
      onSpawn: (spawned) => {
        pid = spawned;
      },
      onOutput: prefixed(context),
    },
  );
  const watching = isToBeKilled
    ? killAtItsPlace(context, goal, folder, () => pid, finished.signal)
    : Promise.resolve(null);
  const outcome = await running.finally(() => finished.abort());
  return { outcome, pid, linesAtKill: await watching };
}

/** Waits until the journal shows the record, then sends SIGKILL. `null` if the child ended before. */
async function killAtItsPlace(
  { terminal }: CommandContext,
  { killAfter }: DemoGoal,
  folder: string,
  pid: () => number,
  finished: AbortSignal,
): Promise<readonly string[] | null> {
  const tail = new JournalTail(journalPath(folder));
  const lines: string[] = [];
  let seen = 0;
  while (!finished.aborted) {
    for (const { text, record } of tail.read()) {
      lines.push(text);
      if (record?.type === killAfter.type) seen += 1;
    }
    if (seen >= killAfter.count && pid() !== 0) {
      await terminal.clock.sleep(BEFORE_KILL_MS, finished).catch(() => {});
      if (finished.aborted) return null;
      terminal.kill(pid());
      return lines;
    }
    await terminal.clock.sleep(LOOK_MS, finished).catch(() => {});
  }
  return null;
}

function childEnvironment(
  { terminal }: CommandContext,
  { killAfter }: DemoGoal,
  isToBeKilled: boolean,
): { readonly [name: string]: string } {
  const env: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(terminal.env)) {
    if (value !== undefined) env[name] = value;
  }
  env.TARDIGRADE_PACE_MS ??= String(PACE_MS);
  env.FORCE_COLOR = '0';
  // The person's own settings do not apply to this recorded run.
  env[OPTIONS.ignoreSettings.variable] = '1';
  // The child waits at exactly this record, so the kill cannot come too late.
  if (isToBeKilled) env.TARDIGRADE_HOLD_AFTER = `${killAfter.type}:${killAfter.count}`;
  return env;
}

const SET_APART = '    ';

/** Marks the child's lines as its own. Its headline goes to both of its outputs and is shown once. */
function prefixed({ terminal: { stdout } }: CommandContext): (text: string) => void {
  const marked = new Set<string>();
  let rest = '';
  return (text) => {
    const lines = (rest + sanitize(text)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (marked.has(line)) continue;
      if (/^\S /.test(line)) marked.add(line.slice(2));
      const width = columnsOf(stdout, Number.POSITIVE_INFINITY);
      const rows = foldToWidth(line, width - SET_APART.length).split('\n');
      stdout.write(rows.map((row) => `${`${SET_APART}${row}`.trimEnd()}\n`).join(''));
    }
  };
}
