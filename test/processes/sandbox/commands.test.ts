import { describe, expect, it } from 'vitest';
import { bubblewrap } from '../../../src/processes/sandbox/bubblewrap.ts';
import type { SandboxBoundaries } from '../../../src/processes/sandbox/contract.ts';
import {
  openConfined,
  runConfined,
  startConfined,
} from '../../../src/processes/sandbox/run-confined.ts';
import { seatbelt } from '../../../src/processes/sandbox/seatbelt.ts';

const WALLS: SandboxBoundaries = {
  folder: '/home/me/ws',
  readable: ['/home/me/.tools', '/home/me/.tools-of-nobody'],
  home: '/home/me',
  guarded: ['/home/me/ws/.git', '/home/me/ws/AGENTS.md'],
  hidden: [
    { path: '/home/me/ws/.agent_context', isFolder: true },
    { path: '/home/me/ws/.env', isFolder: false },
  ],
  names: ['.git', '.mcp.json'],
  cache: '/home/me/ws/.agent_context/cache',
};
const COMMAND = {
  file: '/usr/bin/prog',
  args: ['--ro-bind', '/', '$(x)'],
  cwd: '/home/me/ws/sub',
  env: { PATH: '/usr/bin', HOME: '/home/me', TMPDIR: '/big', XDG_RUNTIME_DIR: '/run/user/1' },
};

const placeOf = (args: readonly string[], ...words: string[]): number =>
  args.findIndex((_, at) => words.every((word, offset) => args[at + offset] === word));

describe('bubblewrap', () => {
  const { commandFor } = bubblewrap('/usr/bin/bwrap', (path) => path === '/etc/shadow');
  const { file, args, env, cwd } = commandFor(COMMAND, WALLS);

  it('is started in the place of the program, whose words stand behind all of its own', () => {
    expect(file).toBe('/usr/bin/bwrap');
    expect(cwd).toBe('/home/me/ws/sub');
    expect(args.slice(args.indexOf('--'))).toEqual(['--', '/usr/bin/prog', ...COMMAND.args]);
    expect(args.slice(0, args.indexOf('--')).join(' ')).toMatch(/--chdir \/home\/me\/ws\/sub$/);
  });

  it('ends with us, has no network, no other processes and no powers of root', () => {
    for (const flag of ['--die-with-parent', '--unshare-net', '--unshare-pid', '--unshare-ipc'])
      expect(args).toContain(flag);
    expect(placeOf(args, '--cap-drop', 'ALL')).toBeGreaterThan(-1);
  });

  it('lays what is held back over what is allowed, and never the other way round', () => {
    const inOrder = [
      placeOf(args, '--tmpfs', '/home/me'),
      placeOf(args, '--ro-bind-try', '/home/me/.tools', '/home/me/.tools'),
      placeOf(args, '--bind', '/home/me/ws', '/home/me/ws'),
      placeOf(args, '--ro-bind', '/home/me/ws/.git', '/home/me/ws/.git'),
      placeOf(args, '--tmpfs', '/home/me/ws/.agent_context'),
      placeOf(args, '--ro-bind', '/dev/null', '/home/me/ws/.env'),
      placeOf(args, '--remount-ro', '/home/me/ws/.agent_context'),
      placeOf(args, '--remount-ro', '/'),
    ];
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  });

  it('binds for writing nothing but the folder and the caches, and never the root', () => {
    const own = args.slice(0, args.indexOf('--'));
    const sources = (flags: RegExp) =>
      own.flatMap((arg, at) => (flags.test(arg) ? [own[at + 1]] : []));
    expect(sources(/^--bind/)).toEqual([WALLS.cache, WALLS.folder]);
    expect(sources(/^--(?:ro-)?bind/)).not.toContain('/');
  });

  it('binds the folders that what is hidden lies in onto themselves, from the outside in, before that is hidden', () => {
    const hidden = [{ path: '/home/me/ws/a/b/.env', isFolder: false }];
    const { args } = commandFor(COMMAND, { ...WALLS, hidden });
    const inOrder = [
      placeOf(args, '--bind', '/home/me/ws', '/home/me/ws'),
      placeOf(args, '--bind', '/home/me/ws/a', '/home/me/ws/a'),
      placeOf(args, '--bind', '/home/me/ws/a/b', '/home/me/ws/a/b'),
      placeOf(args, '--ro-bind', '/dev/null', '/home/me/ws/a/b/.env'),
    ];
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  });

  it('hides passwords of the machine where there are some', () => {
    expect(placeOf(args, '--ro-bind', '/dev/null', '/etc/shadow')).toBeGreaterThan(-1);
    expect(placeOf(args, '--ro-bind', '/dev/null', '/etc/gshadow')).toBe(-1);
  });

  it('names no place that is not there behind it', () => {
    expect(env).toEqual({ PATH: '/usr/bin', HOME: '/home/me', TMPDIR: '/tmp' });
  });

  it('covers a file in a folder whose name begins with two dots after the folder is opened', () => {
    const hidden = [{ path: '/home/me/ws/..conf/.env', isFolder: false }];
    const { args } = commandFor(COMMAND, { ...WALLS, hidden });
    expect(placeOf(args, '--ro-bind', '/dev/null', '/home/me/ws/..conf/.env')).toBeGreaterThan(
      placeOf(args, '--bind', '/home/me/ws', '/home/me/ws'),
    );
  });

  it('opens a copy in a hidden folder again, and nothing else of that folder', () => {
    const folder = '/home/me/ws/.agent_context/scratch';
    const boundaries = { ...WALLS, folder, guarded: [], readable: ['/home/me/ws'] };
    const { args } = commandFor({ ...COMMAND, cwd: folder }, boundaries);
    const inOrder = [
      placeOf(args, '--ro-bind-try', '/home/me/ws', '/home/me/ws'),
      placeOf(args, '--tmpfs', '/home/me/ws/.agent_context'),
      placeOf(args, '--bind', folder, folder),
    ];
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  });
});

describe('sandbox-exec', () => {
  const { commandFor } = seatbelt('/usr/bin/sandbox-exec');
  const profileOf = (boundaries: SandboxBoundaries): string =>
    commandFor(COMMAND, boundaries).args[1] ?? '';

  it('gets its profile as one word, and the program behind it', () => {
    const { file, args, env } = commandFor(COMMAND, WALLS);
    expect([file, args[0], ...args.slice(2)]).toEqual([
      '/usr/bin/sandbox-exec',
      '-p',
      '/usr/bin/prog',
      ...COMMAND.args,
    ]);
    expect(env.TMPDIR).toBe(WALLS.cache);
  });

  it('denies after it has allowed: the last line counts', () => {
    const lines = profileOf(WALLS).split('\n');
    const at = (start: string, word: string): number =>
      lines.findLastIndex((line) => line.startsWith(start) && line.includes(word));
    expect(lines).toContain('(deny network*)');
    expect(at('(allow file-read-data file-write*', '"/home/me/ws"')).toBeGreaterThan(
      lines.indexOf('(deny file-write*)'),
    );
    for (const held of ['"/home/me/ws/.git"', '"/home/me/ws/.env"', '\\.[mM][cC][pP]'])
      expect(at('(deny', held)).toBeGreaterThan(
        at('(allow file-read-data file-write*', '"/home/me/ws"'),
      );
    expect(lines.filter((line) => /^\(allow file-.*"\/"\)/.test(line))).toEqual([]);
  });

  it('denies a file in a folder whose name begins with two dots after the folder is allowed', () => {
    const hidden = [{ path: '/home/me/ws/..conf/.env', isFolder: false }];
    const text = profileOf({ ...WALLS, hidden });
    expect(text.indexOf('"/home/me/ws/..conf/.env"')).toBeGreaterThan(
      text.indexOf('(allow file-read-data file-write* (subpath "/home/me/ws"))'),
    );
  });

  it('names one operation wherever it is about reading: a general one would count after it', () => {
    expect(profileOf(WALLS)).not.toContain('file-read*');
    expect(profileOf(WALLS).match(/file-read-data/g)?.length).toBeGreaterThan(5);
  });

  it('holds the folders that what is hidden lies in where they are, and no others', () => {
    const hidden = [{ path: '/home/me/ws/a/b/.env', isFolder: false }];
    const held = profileOf({ ...WALLS, hidden, guarded: [] }).match(
      /^\(deny file-write-unlink.*$/gm,
    );
    expect(held).toEqual([
      '(deny file-write-unlink (literal "/home/me/ws/a"))',
      '(deny file-write-unlink (literal "/home/me/ws/a/b"))',
    ]);
  });

  it('lets no name of a folder end its line', () => {
    const folder = '/home/me/a") (allow default) ("';
    const text = profileOf({ ...WALLS, folder });
    expect(text).toContain('(subpath "/home/me/a\\") (allow default) (\\"")');
    expect(text.match(/^\(allow default\)$/gm)).toHaveLength(1);
  });

  it('holds a name wherever it stands, as the disk reads it', () => {
    const [, source = ''] = /#"(.*MmCcPp.*|.*\[mM\]\[cC\]\[pP\].*)"\)/.exec(profileOf(WALLS)) ?? [];
    const held = new RegExp(source);
    for (const path of ['.mcp.json', 'sub/.mcp.json', '.MCP.json', '.mcp.json/x'])
      expect([path, held.test(`/home/me/ws/${path}`)]).toEqual([path, true]);
    for (const path of ['x.mcp.json', 'mcp.json', '.mcp.jsonx'])
      expect([path, held.test(`/home/me/ws/${path}`)]).toEqual([path, false]);
  });
});

it('where nothing can be confined, nothing starts, and the reason is said', async () => {
  const why = 'the folder holds too many names';
  const nowhere = { sandbox: bubblewrap('/usr/bin/bwrap', () => false), around: () => why };
  const never = () => {
    throw new Error('it was started');
  };
  const request = { ...COMMAND, timeoutMs: 1, maxOutputBytes: 1 };
  const signal = new AbortController().signal;
  const ran = await runConfined(nowhere, never)(request, { signal, onOutput: () => {} });
  expect(ran).toMatchObject({ kind: 'spawn_failed', error: why });
  expect(await startConfined(nowhere, never)(request, { onSpawn: () => {} })).toBe(why);
  const ends: string[] = [];
  const onEnd = (detail: string) => void ends.push(detail);
  await openConfined(nowhere, never)(request, { onSpawn: () => {}, onText: () => {}, onEnd });
  expect(ends).toEqual([why]);
});
