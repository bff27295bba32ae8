import { WriteStream } from 'node:tty';
import type { Sink, Terminal } from '../../process/terminal.ts';

/** The meaning of a line; only this file decides what it looks like. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'warning' | 'active' | Written;
/** Styles of a model's text. */
type Written = 'emphasis' | 'link' | 'code' | 'keyword';

const CODES: { readonly [T in Tone]: string } = {
  plain: '',
  dim: '\u001b[2m',
  strong: '\u001b[1m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  warning: '\u001b[33m',
  active: '\u001b[36m',
  emphasis: '\u001b[3m',
  link: '\u001b[4m',
  code: '\u001b[36m',
  keyword: '\u001b[35m',
};
const RESET = '\u001b[0m';

const UNICODE = {
  status: { completed: '✓', in_progress: '▸', pending: '·', failed: '✗', unverified: '~' },
  ok: '✓',
  failed: '✗',
  dot: '·',
  minus: '−',
  cursor: '▌',
  newline: '⏎',
  bar: '│',
  rule: '─',
  ellipsis: '…',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

export type Glyphs = Readonly<typeof UNICODE>;

const ASCII: Glyphs = {
  status: { completed: '+', in_progress: '>', pending: '.', failed: 'x', unverified: '~' },
  ok: '+',
  failed: 'x',
  dot: '-',
  minus: '-',
  cursor: '_',
  newline: ' / ',
  bar: '|',
  rule: '-',
  ellipsis: '...',
  spinner: ['-', '\\', '|', '/'],
};

export interface Style {
  readonly glyphs: Glyphs;
  /** False: tones are invisible. */
  readonly hasColor: boolean;
  paint(tone: Tone, text: string): string;
}

type Env = Terminal['env'];

/** By Node's own rules; anything but a terminal has colours only if FORCE_COLOR says so. */
export function wantsColor(env: Env, isTerminal: boolean): boolean {
  const { NO_COLOR, ...others } = env;
  const isForced = env.FORCE_COLOR !== undefined;
  if (!isForced && (!isTerminal || NO_COLOR)) return false;
  return WriteStream.prototype.hasColors(16, others);
}

/** Whether the terminal probably shows more than ASCII. */
export function speaksUnicode(env: Env, platform: NodeJS.Platform): boolean {
  if (platform === 'win32')
    return Boolean(env.WT_SESSION || env.TERM_PROGRAM || env.ConEmuTask || env.TERM);
  if (env.TERM === 'linux') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  if (locale === '') return platform === 'darwin';
  return /utf-?8/i.test(locale);
}

export function createStyle(
  { env, platform }: Pick<Terminal, 'env' | 'platform'>,
  { isTerminal }: Pick<Sink, 'isTerminal'>,
): Style {
  const color = wantsColor(env, isTerminal);
  return {
    glyphs: speaksUnicode(env, platform) ? UNICODE : ASCII,
    hasColor: color,
    paint: (tone, text) => (color && CODES[tone] !== '' ? CODES[tone] + text + RESET : text),
  };
}
