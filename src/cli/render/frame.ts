import { planTree, windowOf } from './plan-tree.ts';
import type { Style, Tone } from './style.ts';
import { count, cut, inLine, sanitize, wholeSeconds } from './text.ts';
import { describeActivity, speed, type View } from './view.ts';

/** Pure: the part of the screen that is redrawn, as lines that each fit the width. */
export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

const STREAM_LINES = 3;

export function frameOf(view: View, size: FrameSize, now: number, style: Style): string[] {
  const { glyphs } = style;
  // The last column stays empty: some terminals wrap when it is written.
  const width = Math.max(10, size.columns - 1);
  const height = Math.max(1, size.rows - STREAM_LINES - 3);
  const fitted = (text: string, tone: Tone): string =>
    style.paint(tone, cut(inLine(text), width, glyphs.ellipsis));
  const tree = view.plan === null ? [] : windowOf(planTree(view.plan, glyphs), height, glyphs);
  return [
    ...tree.map((line) => fitted(line.text, line.tone)),
    ...streamLines(view.stream).map((line) => fitted(`  ${glyphs.bar} ${line}`, 'dim')),
    fitted(statusLine(view, now, style), 'active'),
  ];
}

function streamLines(stream: string): string[] {
  const lines = sanitize(stream)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(-STREAM_LINES);
}

/** `⠹ round 2 of 24 · deciding 12 s · 34 tok/s · 1,234 tokens`. */
export function statusLine(view: View, now: number, { glyphs }: Style): string {
  const spinner = glyphs.spinner[Math.floor(now / 120) % glyphs.spinner.length] ?? '';
  return `${spinner} ${statusWords(view, now).join(` ${glyphs.dot} `)}`;
}

/** The same facts for a line in a log. */
export function statusWords(view: View, now: number): string[] {
  const perSecond = speed(view, now);
  return [
    ...(view.round > 0 ? [`round ${view.round} of ${view.maxRounds}`] : []),
    `${describeActivity(view, now)} ${wholeSeconds(now - view.activity.since)}`,
    ...(perSecond === null ? [] : [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)} tok/s`]),
    ...(view.tokens > 0 ? [`${count(view.tokens)} tokens`] : []),
  ];
}
