import type { SubtaskStatus } from '../../schema/plan.ts';
import type { Terminal } from '../terminal.ts';

/** How a line is meant; what it looks like is decided here and nowhere else. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'warning' | 'active';

const CODES: { readonly [T in Tone]: string } = {
  plain: '',
  dim: '\u001b[2m',
  strong: '\u001b[1m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  warning: '\u001b[33m',
  active: '\u001b[36m',
};
const RESET = '\u001b[0m';

export interface Glyphs {
  readonly status: { readonly [S in SubtaskStatus]: string };
  readonly ok: string;
  readonly failed: string;
  readonly dot: string;
  readonly bar: string;
  readonly ellipsis: string;
  readonly spinner: readonly string[];
}

const UNICODE: Glyphs = {
  status: { completed: '✓', in_progress: '▸', pending: '·', failed: '✗', unverified: '~' },
  ok: '✓',
  failed: '✗',
  dot: '·',
  bar: '│',
  ellipsis: '…',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const ASCII: Glyphs = {
  status: { completed: '+', in_progress: '>', pending: '.', failed: 'x', unverified: '~' },
  ok: '+',
  failed: 'x',
  dot: '-',
  bar: '|',
  ellipsis: '...',
  spinner: ['-', '\\', '|', '/'],
};

export interface Style {
  readonly glyphs: Glyphs;
  paint(tone: Tone, text: string): string;
}

type Env = Terminal['env'];

/** FORCE_COLOR decides first, then NO_COLOR, then whether somebody watches. */
export function wantsColor(env: Env, isTerminal: boolean): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

/** Whether the terminal can be expected to show more than ASCII. */
export function speaksUnicode(env: Env, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') {
    return Boolean(env.WT_SESSION || env.TERM_PROGRAM || env.ConEmuTask || env.TERM);
  }
  if (env.TERM === 'linux') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  if (locale === '') return platform === 'darwin';
  return /utf-?8/i.test(locale);
}

export function createStyle(env: Env, platform: NodeJS.Platform, isTerminal: boolean): Style {
  const color = wantsColor(env, isTerminal);
  return {
    glyphs: speaksUnicode(env, platform) ? UNICODE : ASCII,
    paint: (tone, text) => (color && CODES[tone] !== '' ? CODES[tone] + text + RESET : text),
  };
}
