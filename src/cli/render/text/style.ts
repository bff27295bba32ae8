import type { SubtaskStatus } from '../../../schema/plan.ts';
import type { Terminal } from '../../process/terminal.ts';

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

export interface Glyphs {
  readonly status: { readonly [S in SubtaskStatus]: string };
  readonly ok: string;
  readonly failed: string;
  readonly dot: string;
  readonly minus: string;
  readonly cursor: string;
  readonly newline: string;
  readonly bar: string;
  readonly rule: string;
  readonly ellipsis: string;
  readonly spinner: readonly string[];
}

const UNICODE: Glyphs = {
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

/** Services whose logs show colours. */
const COLOURED_LOGS = [
  'GITHUB_ACTIONS',
  'GITEA_ACTIONS',
  'CIRCLECI',
  'TRAVIS',
  'APPVEYOR',
  'GITLAB_CI',
  'BUILDKITE',
  'DRONE',
];

/**
 * Follows supports-color 10 (github.com/chalk/supports-color, index.js), but lets FORCE_COLOR override NO_COLOR
 * (no-color.org), as Node itself does.
 */
export function wantsColor(
  env: Env,
  isTerminal: boolean,
  platform: NodeJS.Platform = 'linux',
): boolean {
  const forced = forcedColor(env.FORCE_COLOR);
  if (forced !== null) return forced;
  if (env.NO_COLOR) return false;
  if ('TF_BUILD' in env && 'AGENT_NAME' in env) return true;
  if (!isTerminal || env.TERM === 'dumb') return false;
  if (platform === 'win32') return true;
  if ('CI' in env) return COLOURED_LOGS.some((name) => name in env) || env.CI_NAME === 'codeship';
  if ('TEAMCITY_VERSION' in env)
    return /^(9\.(0*[1-9]\d*)\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION ?? '');
  if ('COLORTERM' in env || 'TERM_PROGRAM' in env) return true;
  return /-256(color)?$|^screen|^xterm|^vt100|^vt220|^rxvt|color|ansi|cygwin|linux|^tmux/i.test(
    env.TERM ?? '',
  );
}

function forcedColor(value: string | undefined): boolean | null {
  if (value === undefined) return null;
  if (value === '' || value === 'true') return true;
  if (value === 'false') return false;
  const level = Math.min(Number.parseInt(value, 10), 3);
  return level >= 0 && level <= 3 ? level > 0 : null;
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

export function createStyle(env: Env, platform: NodeJS.Platform, isTerminal: boolean): Style {
  const color = wantsColor(env, isTerminal, platform);
  return {
    glyphs: speaksUnicode(env, platform) ? UNICODE : ASCII,
    hasColor: color,
    paint: (tone, text) => (color && CODES[tone] !== '' ? CODES[tone] + text + RESET : text),
  };
}
