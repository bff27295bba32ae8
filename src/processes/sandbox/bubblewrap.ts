/**
 * Linux: bubblewrap builds a separate file system for one program. Pure.
 * 1. Only what is named here exists in it, so overlooked files cannot be read.
 * 2. Nothing is mounted onto a missing path: bubblewrap would create it, and a kill would leave it behind.
 * 3. The program and everything it starts end with bubblewrap, and bubblewrap ends with this process.
 *    Bubblewrap is the recorded process; the others are in its group and session.
 */
import { isInside } from '../../lib/files/absolute-paths.ts';
import { foldersBetween, type Sandbox, type SandboxBoundaries, withoutPlaces } from './contract.ts';

/** Programs, libraries and system configuration, which belong to no user. */
const SYSTEM =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /run/current-system'.split(' ');
/** The machine's passwords, which root could read. */
const SYSTEM_SECRETS = '/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh'.split(' ');

const ALONE = [
  '--die-with-parent',
  ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  // Otherwise root would keep the capability to dismantle the sandbox.
  ...['--cap-drop', 'ALL'],
];

const TMP = '/tmp';

/** @param exists of a system path: a missing one cannot be hidden */
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
        command.file,
        ...command.args,
      ],
      cwd: command.cwd,
      env: withoutPlaces(command.env, { home: homeOf(boundaries), tmp: TMP }),
    }),
  };
}

const homeOf = ({ home }: SandboxBoundaries): string => home ?? TMP;

/** Root could change settings of the whole system here. */
const SETTINGS = '/proc/sys /proc/sysrq-trigger /proc/irq /proc/bus'.split(' ');

const readOnly = (place: string): readonly string[] => ['--ro-bind-try', place, place];

/** The order matters: later mounts cover earlier ones. */
function mounts(boundaries: SandboxBoundaries, secrets: readonly string[]): readonly string[] {
  const { folder, readable, home, guarded, hidden, cache } = boundaries;
  const isOwn = ({ path: place }: SandboxBoundaries['hidden'][number]): boolean =>
    isBelow(place, folder);
  const own = hidden.filter(isOwn);
  const held = foldersBetween([...guarded, ...own.map((one) => one.path)], folder);
  return [
    ...SYSTEM.flatMap(readOnly),
    ...secrets.flatMap((place) => covered({ path: place, isFolder: place === '/etc/ssh' })),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', TMP, '--tmpfs', '/var/tmp'],
    ...SETTINGS.flatMap(readOnly),
    ...(home === null || isBelow(home, folder) ? [] : ['--tmpfs', home]),
    // Without a cache, compilers would start from scratch with every command.
    ...['--bind', cache, `${homeOf(boundaries)}/.cache`],
    ...readable.flatMap(readOnly),
    ...hidden.filter((one) => !isOwn(one)).flatMap(covered),
    ...['--bind', folder, folder],
    // If its folder were renamed, a protected path would be a different one. A mount cannot be renamed.
    ...held.flatMap((place) => ['--bind', place, place]),
    ...guarded.flatMap((place) => ['--ro-bind', place, place]),
    ...own.flatMap(covered),
    ...hidden.flatMap(({ path: place, isFolder }) => (isFolder ? ['--remount-ro', place] : [])),
    ...['--remount-ro', '/'],
  ];
}

/** A hidden folder is empty; a hidden file cannot be opened. */
const covered = ({
  path: place,
  isFolder,
}: SandboxBoundaries['hidden'][number]): readonly string[] =>
  isFolder ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place];

const isBelow = (place: string, folder: string): boolean => isInside(folder, place, 'linux');
