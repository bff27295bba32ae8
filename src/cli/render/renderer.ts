import type { Terminal } from '../process/terminal.ts';
import { reduceView, startView } from '../screen/view.ts';
import type { Renderer, RendererOptions } from './contract.ts';
import { atTheEnd } from './ending/at-the-end.ts';
import { LiveRenderer } from './live.ts';
import { createStyle, type Style } from './text/style.ts';
import { cut, inLine } from './text/text.ts';
import { eventLinesOf } from './work/lines.ts';
import { heartbeat } from './work/status.ts';

const SILENT: Renderer = { observe: () => {}, stop: () => {} };

export function createRenderer(terminal: Terminal, options: RendererOptions): Renderer {
  if (options.verbosity === 'quiet') return SILENT;
  const { stderr, env } = terminal;
  const style = createStyle(terminal, stderr);
  const isLive = stderr.isTerminal && !options.isMixed && env.TERM !== 'dumb' && !env.CI;
  return isLive
    ? new LiveRenderer(terminal, style, options)
    : createPlainRenderer(terminal, style, options);
}

/** The longest silence, so that a slow model can be told from a hang. */
const HEARTBEAT_MS = 10_000;
/** The longest line of progress; warnings and text that a person gets back are never cut. */
const LONGEST_LINE = 400;
const NOTHING_TYPED = { lines: [], line: '' };

/**
 * Owns the view and the time of the last line. Writes one line per event and redraws nothing. Invariant: while the run
 * is active, at most HEARTBEAT_MS pass between two lines.
 */
function createPlainRenderer(
  { stderr, clock, every }: Pick<Terminal, 'stderr' | 'clock' | 'every'>,
  style: Style,
  options: RendererOptions,
): Renderer {
  let view = startView(clock.monotonic());
  let wroteAt = clock.monotonic();
  const write = (text: string, tone: Parameters<Style['paint']>[0]): void => {
    const line = inLine(text);
    const shown = tone === 'warning' ? line : cut(line, LONGEST_LINE, style.glyphs.ellipsis);
    stderr.write(`${style.paint(tone, shown)}\n`);
    wroteAt = clock.monotonic();
  };
  const beat = (): void => {
    const now = clock.monotonic();
    // One second early, so that a late timer does not break the invariant.
    if (now - wroteAt < HEARTBEAT_MS - 1000 || view.activity.kind === 'ended') return;
    write(`  ${style.glyphs.ellipsis} ${heartbeat(view, now)}`, 'dim');
  };
  const stopTimer = every(1000, beat);
  let isStopped = false;
  return {
    observe: (event) => {
      const before = view;
      view = reduceView(view, event, clock.monotonic());
      for (const line of eventLinesOf(event, { before, after: view }, style.glyphs)) {
        if (line.level === 'debug' && options.verbosity !== 'debug') continue;
        write(line.text, line.tone);
      }
    },
    stop: () => {
      stopTimer();
      if (isStopped) return;
      isStopped = true;
      for (const { text, tone } of atTheEnd(view, NOTHING_TYPED)) write(text, tone);
    },
  };
}
