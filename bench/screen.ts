import { createRenderer } from '../src/cli/render/renderer.ts';
import type { RunEvent } from '../src/schema/events/events.ts';
import { scriptedRun } from '../test/cli/script.ts';
import { fakeTerminal } from '../test/cli/support.ts';
import type { Figure, Measurement } from './measurement.ts';
import { rounded } from './support/statistics.ts';

const REDRAW_MS = 100;
const SECONDS = 60;
/** Pieces between two redraws: 50 tokens a second. */
const PIECES = 5;
const BOUND = 2;

/** What a model writes, in pieces of a few characters. */
const PLAN = `{"tasks":[${Array.from(
  { length: 8 },
  (_, task) =>
    `{"description":"Part ${task} of the work","subtasks":[${Array.from(
      { length: 4 },
      (_, step) => `{"action":"write_file","file":"part-${task}/file-${step}.txt","purpose":"x"}`,
    ).join(',')}]}`,
).join(',')}]}`;
const FILE = `{"path":"notes.txt","content":"${'A line of text in a long file.\\n'.repeat(700)}"}`;

/** Percent of one core while `text` is written with the screen drawn ten times a second. */
async function shareWhile(purpose: string, text: string): Promise<number> {
  const terminal = fakeTerminal({ isTerminal: true, env: { LANG: 'C.UTF-8', TERM: 'xterm' } });
  const silent = { ...terminal, draw: () => {} };
  const renderer = createRenderer(silent, { verbosity: 'normal' });
  for (const event of scriptedRun()) renderer.observe(event);
  const asked: RunEvent = { type: 'turn_started', purpose, target: null };
  renderer.observe(asked);
  terminal.advance(REDRAW_MS);
  // The screen is loaded when the first request has been sent.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const piece = Math.max(1, Math.ceil(text.length / ((SECONDS * 1000 * PIECES) / REDRAW_MS)));
  let at = 0;
  const before = process.cpuUsage();
  for (let redraw = 0; redraw < (SECONDS * 1000) / REDRAW_MS; redraw += 1) {
    for (let index = 0; index < PIECES; index += 1) {
      renderer.observe({ type: 'text', text: text.slice(at, at + piece) });
      at += piece;
    }
    terminal.advance(REDRAW_MS);
  }
  const { user, system } = process.cpuUsage(before);
  renderer.stop();
  return ((user + system) / 1000 / (SECONDS * 1000)) * 100;
}

export const screen: Measurement = {
  name: 'screen',
  async measure(): Promise<readonly Figure[]> {
    const detail = `drawn ${1000 / REDRAW_MS} times a second for ${SECONDS} s, ${(PIECES * 1000) / REDRAW_MS} pieces a second`;
    const figure = (name: string, value: number): Figure => ({
      name,
      value: rounded(value, 2),
      unit: '%',
      bound: BOUND,
      better: 'lower',
      detail,
    });
    return [
      figure(
        'of a core for the live screen while a file is written',
        await shareWhile('action', FILE),
      ),
      figure(
        'of a core for the live screen while a plan is written',
        await shareWhile('plan', PLAN),
      ),
    ];
  },
};
