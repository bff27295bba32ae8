// Makes docs/run.svg, a moving picture of a real run of the built program in a terminal of 80 columns: it is killed
// with SIGKILL while it works, and the same command goes on. The model's turns are recorded; program, renderer, files,
// kill and proof are real. Only run by hand.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { JAVASCRIPT_GOAL } from '../src/cli/demo/goals.ts';
import { COLUMNS, type Frame, linesOn, movie, type Piece, textOf } from './lib/terminal-movie.ts';

const ROWS = 34;
const PICTURE = 'docs/run.svg';
/** How long the engine rests behind each record, so that the eye can follow. */
const PACE_MS = 260;
const LOOK_MS = 120;
const TYPED_MS = 900;
const LAST_MS = 6000;

const command = `agent '${JAVASCRIPT_GOAL.goal}'`;
const place = mkdtempSync(join(tmpdir(), 'picture-'));
const folder = join(place, 'hello');
mkdirSync(folder);
try {
  const { type, count } = JAVASCRIPT_GOAL.killAfter;
  const first = await filmed([], { TARDIGRADE_HOLD_AFTER: `${type}:${count}` }, true);
  const killed = [
    ...(first.at(-1)?.lines ?? []),
    note('$ kill -9 %1      # in the middle of its work'),
  ];
  const second = await filmed([...killed, []], {}, false);
  const frames = [...first, { lines: killed, ms: 2 * TYPED_MS }, ...second];
  const film = [...frames.slice(0, -1), { lines: frames.at(-1)?.lines ?? [], ms: LAST_MS }];
  const title = `A run of agent in a terminal: ${JAVASCRIPT_GOAL.goal}. It is killed, and the same command goes on.`;
  writeFileSync(PICTURE, movie(film, title));
  process.stdout.write(`${PICTURE}: ${film.length} frames\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function note(text: string): readonly Piece[] {
  return [{ text, column: 0, colour: '#f7768e', isDim: false, isBold: true }];
}

/** One start of the program below what the screen shows already; `isKilled`: until it rests at the held record. */
async function filmed(
  above: readonly (readonly Piece[])[],
  held: { readonly [name: string]: string },
  isKilled: boolean,
): Promise<readonly Frame[]> {
  const head: Piece = {
    text: `$ ${command}`,
    column: 0,
    colour: '#c0caf5',
    isDim: false,
    isBold: true,
  };
  const frames: Frame[] = [{ lines: [...above, [head]], ms: TYPED_MS }];
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const recording = resolve('dist', 'demo', JAVASCRIPT_GOAL.recording);
  // The recording begins with a plan.
  const words = ['--plan-first', '--model', `recorded:${recording}`, JAVASCRIPT_GOAL.goal];
  const child = pty.spawn(process.execPath, [resolve('dist/bin.cjs'), ...words], {
    ...{ cols: COLUMNS, rows: ROWS, cwd: folder },
    env: {
      PATH: process.env.PATH ?? '',
      HOME: place,
      XDG_DATA_HOME: place,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      TARDIGRADE_PACE_MS: String(PACE_MS),
      ...held,
    },
  });
  let exitCode: number | null = null;
  child.onData((data) => terminal.write(data));
  child.onExit((exit) => {
    exitCode = exit.exitCode;
  });
  while (exitCode === null) {
    await wait(LOOK_MS);
    const lines = [...above, [head], ...linesOn(terminal).filter(isShown)];
    const last = frames.at(-1) ?? { lines: [], ms: 0 };
    const isSame = JSON.stringify(last.lines) === JSON.stringify(lines);
    if (isSame) frames[frames.length - 1] = { ...last, ms: last.ms + LOOK_MS };
    else frames.push({ lines, ms: LOOK_MS });
    // At the held record only the clock of the live line still moves.
    if (isKilled && isLong(frames)) {
      process.kill(child.pid, 'SIGKILL');
      break;
    }
  }
  if (!isKilled && exitCode !== 0) throw new Error(`the run ended with exit code ${exitCode}`);
  return frames;
}

/** Two and a half seconds since the first line of work: the engine holds still by then. */
function isLong(frames: readonly Frame[]): boolean {
  const from = frames.findIndex(({ lines }) =>
    lines.some((line) => /hello\.js +\+/.test(textOf(line))),
  );
  return from >= 0 && frames.slice(from).reduce((sum, { ms }) => sum + ms, 0) > 2500;
}

/** Where the recording lies is of this machine alone. */
function isShown(line: readonly Piece[]): boolean {
  return !/turns are replayed from|^\S*\/(?:dist|demo)\/|javascript\.json/.test(textOf(line));
}
