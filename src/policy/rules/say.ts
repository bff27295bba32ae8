/** What a rule allows, in plain words. Pure. */
import { orNull } from '../../lib/or-null.ts';
import { isVisible, visibleWord } from '../../lib/text/visible.ts';
import { COMMAND_HEAD } from '../../tools/calls/rule-words.ts';
import { parseRule, quotedWord } from './parse.ts';
import type { CommandPattern, PathPattern, Pattern } from './rule.ts';

/** Rules in this program's form read the same on every system. */
const READING = {
  words: new Map([[COMMAND_HEAD.replaceAll('_', ''), 'command' as const]]),
  platform: 'linux',
} as const;

/** Returns a text that is no rule unchanged. */
export const ruleInWords = (rule: string): string =>
  orNull(() => sayPattern(parseRule(rule, READING).pattern)) ?? rule;

function sayPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'command':
      return sayCommand(pattern);
    case 'path':
      return sayPath(pattern);
    case 'mcp':
      return pattern.tool === null
        ? `every tool of the server ${pattern.server}`
        : `the tool ${pattern.tool} of the server ${pattern.server}`;
    case 'own':
      return `the tool ${pattern.tool}`;
    case 'programs':
      return `every program installed in ${pattern.folder ?? 'the folder'}`;
    case 'host':
      return pattern.host === null ? 'pages of every host' : `pages of ${pattern.host}`;
    default:
      return pattern satisfies never;
  }
}

/** The words of a command in typed form, so that it is seen where each ends; invisible characters are written out. */
export const typedCommand = (argv: readonly string[]): string =>
  argv.map((word) => (isVisible(word) ? (quotedWord(word) ?? word) : visibleWord(word))).join(' ');

const hasStar = (text: string): boolean => /(?<!\\)\*/.test(text);

function sayCommand({ words, rest }: CommandPattern): string {
  if (words.length === 0) return 'every command';
  const typed = words
    .map(({ text }) => (hasStar(text) ? text : text.replaceAll('\\*', '*')))
    .map((word) => quotedWord(word) ?? word)
    .join(' ');
  const stars = words.some(({ text }) => hasStar(text))
    ? ', where * stands for any part of a word'
    : '';
  return rest ? `every command that begins with ${typed}${stars}` : `only ${typed}${stars}`;
}

const DOES = { read: 'reading', edit: 'changing', remove: 'removing' } as const;
const ROOTS = { workspace: '', home: '~', root: '/' } as const;
const EVERYWHERE = { workspace: 'of the folder', home: 'of your home', root: 'of this machine' };

/** A pattern without a star names a file, or a folder with everything in it. */
function sayPath({ does, root, glob }: PathPattern): string {
  const doing = DOES[does];
  if (/^\/?\*\*(?:\/\*\*)?$/.test(glob)) return `${doing} every file ${EVERYWHERE[root]}`;
  const isPlain = /^\/(?:[^\\*?[]|\[.\])+$/.test(glob);
  if (!isPlain) return `${doing} what matches ${ROOTS[root]}${glob}`;
  const path = glob.replace(/\[(.)\]/g, '$1');
  const name = root === 'workspace' ? path.slice(1) : `${ROOTS[root]}${path}`.replace('//', '/');
  return `${doing} ${name} (of a folder, all that is in it)`;
}
