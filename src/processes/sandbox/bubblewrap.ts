/**
 * Linux: bubblewrap builds a file system of its own for one program. Pure.
 * 1. Nothing is there but what is named here, so what nobody thought of cannot be read.
 * 2. Nothing is mounted onto what is not there: bubblewrap would make it, and a kill would leave it.
 * 3. The program and all it starts end with bubblewrap, and bubblewrap with us: it is the process that
 *    is recorded, and in whose group and session the others stand.
 */
import path from 'node:path';
import { type Command, type Sandbox, type SandboxBoundaries, withoutPlaces } from './contract.ts';

/** Programs, their libraries, and how the system is set up: nobody's own. */
const SYSTEM =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /run/current-system'.split(' ');
/** Passwords of the machine, for who works as root. */
const SYSTEM_SECRETS = '/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh'.split(' ');

const ALONE = [
  '--die-with-parent',
  ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  // Root would otherwise keep what takes the sandbox down.
  ...['--cap-drop', 'ALL'],
];

const TMP = '/tmp';

/** @param exists of a place of the system: it cannot be hidden where it is not */
export function bubblewrap(program: string, exists: (path: string) => boolean): Sandbox {
  const secrets = SYSTEM_SECRETS.filter(exists);
  return {
    name: 'bubblewrap',
    commandFor: (command, boundaries) => ({
      file: program,
      args: [
        ...ALONE,
        ...mounts(boundaries, secrets),
        '--chdir',
        command.cwd,
        '--',
        ...own(command),
      ],
      cwd: command.cwd,
      env: withoutPlaces(command.env, { home: homeOf(boundaries), tmp: TMP }),
    }),
  };
}

const own = ({ file, args }: Pick<Command, 'file' | 'args'>): readonly string[] => [file, ...args];

const homeOf = ({ home }: SandboxBoundaries): string => home ?? TMP;

/** Who works as root could set what the whole system goes by. */
const SETTINGS = '/proc/sys /proc/sysrq-trigger /proc/irq /proc/bus'.split(' ');

const readOnly = (place: string): readonly string[] => ['--ro-bind-try', place, place];

/** In this order: what comes later lies over what came before. */
function mounts(boundaries: SandboxBoundaries, secrets: readonly string[]): readonly string[] {
  const { folder, readable, home, guarded, hidden, cache } = boundaries;
  const isOwn = ({ path: place }: SandboxBoundaries['hidden'][number]): boolean =>
    isBelow(place, folder);
  return [
    ...SYSTEM.flatMap(readOnly),
    ...secrets.flatMap((place) => covered({ path: place, isFolder: place === '/etc/ssh' })),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', TMP, '--tmpfs', '/var/tmp'],
    ...SETTINGS.flatMap(readOnly),
    ...(home === null || isBelow(home, folder) ? [] : ['--tmpfs', home]),
    // Compilers would begin from nothing with every command.
    ...['--bind', cache, `${homeOf(boundaries)}/.cache`],
    ...readable.flatMap(readOnly),
    ...hidden.filter((one) => !isOwn(one)).flatMap(covered),
    ...['--bind', folder, folder],
    ...guarded.flatMap((place) => ['--ro-bind', place, place]),
    ...hidden.filter(isOwn).flatMap(covered),
    ...hidden.flatMap(({ path: place, isFolder }) => (isFolder ? ['--remount-ro', place] : [])),
    ...['--remount-ro', '/'],
  ];
}

/** A folder is empty, a file cannot be opened. */
const covered = ({
  path: place,
  isFolder,
}: SandboxBoundaries['hidden'][number]): readonly string[] =>
  isFolder ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place];

const isBelow = (place: string, folder: string): boolean =>
  !path.posix.relative(folder, place).startsWith('..');
