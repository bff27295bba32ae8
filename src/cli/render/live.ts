import type { Sink, Terminal } from '../terminal.ts';
import type { Renderer, RendererOptions } from './contract.ts';
import { frameOf } from './frame.ts';
import { type Line, linesOf } from './lines.ts';
import type { Style } from './style.ts';
import { inLine, widthOf, wrap } from './text.ts';
import { reduceView, startView } from './view.ts';

const REDRAW_MS = 100;
const TROUBLE_LINES = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no cells
const COLORS = /\u001b\[\d*m/g;

/**
 * Owns the lines it drew last. Invariants:
 * 1. Between two writes the cursor stands at the end of the frame's last line.
 * 2. Nothing but the frame is ever erased; lines that left it stay.
 * 3. After `stop` the frame is gone and nothing is written any more. No terminal mode is changed,
 *    so a killed process leaves nothing to repair.
 */
export function createLiveRenderer(
  { stderr, clock, every }: Pick<Terminal, 'stderr' | 'clock' | 'every'>,
  style: Style,
  options: RendererOptions,
): Renderer {
  let view = startView(options.goal, options.maxRounds, clock.monotonic());
  let drawn: readonly string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  const draw = (above: readonly string[]): void => {
    const frame = frameOf(view, stderr.size(), clock.monotonic(), style);
    const lines = above.map((line) => `${line}\n`).join('');
    stderr.write(eraseOf(drawn, stderr) + lines + frame.join('\n'));
    drawn = frame;
    drawnAt = clock.monotonic();
  };
  const stopTimer = every(REDRAW_MS, () => draw([]));
  return {
    observe: (event) => {
      if (isStopped) return;
      const before = view;
      view = reduceView(view, event, clock.monotonic());
      const width = stderr.size().columns - 1;
      const above = linesOf(event, before, style.glyphs)
        .filter((line) => line.inFrame !== true)
        .filter((line) => line.level !== 'verbose' || options.verbosity === 'debug')
        .flatMap((line) => fitting(line, width, style));
      const isDue = clock.monotonic() - drawnAt >= REDRAW_MS;
      if (above.length > 0 || isDue) draw(above);
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      stopTimer();
      stderr.write(eraseOf(drawn, stderr));
      drawn = [];
    },
  };
}

/** What went wrong may take a few lines, all else takes one. */
function fitting({ text, tone }: Line, width: number, style: Style): string[] {
  const most = tone === 'bad' || tone === 'warning' ? TROUBLE_LINES : 1;
  return wrap(inLine(text), width, most, style.glyphs.ellipsis).map((line) =>
    style.paint(tone, line),
  );
}

/** Takes the frame away, counting the rows it has now: a narrowed window folds its lines. */
function eraseOf(drawn: readonly string[], stderr: Sink): string {
  if (drawn.length === 0) return '';
  const { columns } = stderr.size();
  const rows = drawn
    .map((line) => Math.max(1, Math.ceil(widthOf(line.replace(COLORS, '')) / columns)))
    .reduce((sum, taken) => sum + taken, 0);
  const up = rows > 1 ? `\u001b[${rows - 1}A` : '';
  return `\r${up}\u001b[J`;
}
