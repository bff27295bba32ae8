/** Paths that lead out, name devices, hide or only look strange, in the tools that take paths. */
import { called, type Row } from './row.ts';

/** No tool takes these, on any system. */
const NEVER = [
  ...[
    '',
    ' ',
    '\t',
    '/etc/passwd',
    '/',
    '//server/share/x',
    '\\\\server\\share\\x',
    '\\\\?\\C:\\x',
  ],
  ...[
    '\\\\.\\PhysicalDrive0',
    '\\x',
    'C:\\Windows\\x',
    'C:x',
    'c:/x',
    'Z:',
    'C:..\\x',
    'file:///etc/x',
  ],
  ...['..', '../x', '../../../../etc/passwd', 'sub/../../x', '..\\x', 'sub\\..\\..\\x', './../x'],
  ...['a/b/../../../x', '~', '~/x', '~\\x', 'a.txt:stream', 'a.txt::$DATA', 'sub:x/y', ':', 'a:'],
  ...['CON', 'con.txt', 'nul', 'NUL.tar.gz', 'aux', 'prn', 'COM1', 'com9.txt', 'LPT1', 'lpt\u00b3'],
  ...['CONIN$', 'conout$', 'sub/nul', 'nul .txt', 'Aux.h', 'a.', 'a ', 'sub./x', 'sub /x', '...'],
  ...['.. /x', '. /x', '....//x', 'a\0b', 'a.txt\0.png', 'a\nb', 'a\rb', 'a\u001b[31m', 'a\u007f'],
  ...[
    'a\u0085b',
    'a\u009b31m',
    '\ud800x',
    'x\udfff',
    '\udc00\ud800',
    'x'.repeat(256),
    '\u00e9'.repeat(128),
  ],
  ...[
    '../'.repeat(1000),
    '../'.repeat(100_000),
    'a/'.repeat(3000),
    'x'.repeat(5000),
    'a/../'.repeat(50_000),
  ],
  ...[
    'way-out/secret.txt',
    'way-out/new',
    'way-out',
    'secret-link',
    'nowhere',
    'nowhere/x',
    'inside/../../x',
  ],
];

/** Nothing is written there, whatever it is called. */
const NEVER_WRITTEN = [
  ...[
    '.git/config',
    '.git',
    '.GIT/config',
    '.Git\\hooks\\post-commit',
    'sub/.git/hooks/pre-commit',
  ],
  ...[
    'git~1/config',
    'GIT~2',
    '.g\u200cit/config',
    '.gi\u202et/x',
    'gi7eba~1',
    '.git\u2060'.slice(0, 4),
  ],
  ...['.agent_context/history.jsonl', '.AGENT_CONTEXT/state.json', 'agent_~1/x', '.agent_context'],
  ...[
    'git-link/config',
    'git-link',
    'state-link/history.jsonl',
    '.',
    './',
    'sub/..',
    'sub',
    'pipe',
  ],
  ...['a.txt/x', 'huge.bin'],
];

/** Strange, and allowed: where they land, with `/`. */
const ALLOWED: readonly (readonly [path: string, at?: string])[] = [
  ...([
    'new.txt',
    '-rf',
    '--help',
    '$HOME',
    '%PATH%',
    '`id`',
    "it's",
    '#x',
    '!x',
    '&',
    ';',
  ] as const),
  ...[
    'a;b',
    'a&&b',
    '(x)',
    '[x]',
    '{x}',
    '^',
    '@',
    '=',
    '+',
    ',',
    'con1',
    'console',
    'nulls',
    'com10',
  ],
  ...[
    'comx',
    'auxiliary.txt',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '.env.example',
    '.gitignore',
  ],
  ...[
    'x'.repeat(255),
    '\u00e9'.repeat(127),
    '%2e%2e%2fx',
    '..x',
    '...x',
    'a..b',
    'a b',
    '\u65e5\u672c.txt',
  ],
  ...[
    '\ud83d\ude00.txt',
    'a\u202eb',
    'a\u200bb',
    '.config/x.yml',
    'new/deep/er/x',
    'a'.repeat(200).concat('/x'),
  ],
].map((path) => [path] as const);
const CORRECTED: typeof ALLOWED = [
  ['./n.txt', 'n.txt'],
  ['sub\\n.txt', 'sub/n.txt'],
  ['sub/../n.txt', 'n.txt'],
  ['sub//n.txt', 'sub/n.txt'],
  ['inside/n.txt', 'sub/n.txt'],
  ['.\\sub\\.\\n.txt', 'sub/n.txt'],
  ['a/../'.repeat(800).concat('n.txt'), 'n.txt'],
];
/** Names that only Windows does not take. */
const ELSEWHERE = ['a<b', 'a>b', 'a"b', 'a|b', 'a?b', 'a*b', '<|end|>'];

const write = (path: string) => called('write_file', { path, content: 'x' });

export const pathRows: readonly Row[] = [
  ...[...NEVER, ...NEVER_WRITTEN].map((path): Row => [write(path), 'error']),
  ...[...ALLOWED, ...CORRECTED].map(
    ([path, at = path]): Row => [write(path), 'done', { makes: { [at]: 'x' } }],
  ),
  ...ELSEWHERE.map((path): Row => [write(path), 'done', { win: 'error' }]),
  ...NEVER.filter((path) => path !== '').flatMap((path): Row[] => [
    [called('read_file', { path }), 'error'],
    [called('list_dir', { path }), 'error'],
    [called('edit_file', { path, old_text: 'a', new_text: 'b' }), 'error'],
    [called('search_text', { pattern: 'x', path }), 'error'],
  ]),
  ...NEVER_WRITTEN.map(
    (path): Row => [called('edit_file', { path, old_text: 'c', new_text: 'b' }), 'error'],
  ),
  // What may be read is more than what may be written.
  [called('read_file', { path: '.git/config' }), 'denied'],
  [called('read_file', { path: 'inside/c.txt' }), 'done'],
  [called('read_file', { path: 'pipe' }), 'error', { says: /no regular file/ }],
  [called('list_dir', { path: 'pipe' }), 'error'],
  [called('search_text', { pattern: 'x', path: '.git' }), 'error'],
  [called('search_text', { pattern: 'x', path: '.agent_context' }), 'error'],
  [
    called('read_file', { path: '../'.repeat(100_000) }),
    'error',
    { says: /300,000 characters.*4,096/ },
  ],
  [write('huge.bin'), 'error', { says: /5,000,000,000 bytes.*16 MB/ }],
];
