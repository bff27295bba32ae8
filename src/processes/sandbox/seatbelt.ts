/**
 * macOS: `sandbox-exec` with a profile in which the last matching line counts. Pure. New names in the folder
 * are forbidden here, so nothing has to be checked afterwards.
 */
import { isInside } from '../../lib/files/absolute-paths.ts';
import { foldersBetween, type Sandbox, type SandboxBoundaries, withoutPlaces } from './contract.ts';

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** Where people keep their files. */
const OWN = ['/Users', '/Volumes', '/private/tmp', '/private/var/folders', '/private/var/root'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper', '/dev/random'];
/** Programs that make other processes start programs, outside any sandbox. */
const STARTERS = ['/usr/bin/open', '/usr/bin/osascript', '/bin/launchctl', '/usr/bin/at'];
/** System services that do the same, and those that hold a user's keys and clipboard. */
const SERVICES = [
  'com.apple.coreservices.launchservicesd',
  'com.apple.coreservices.appleevents',
  'com.apple.SecurityServer',
  'com.apple.pasteboard.1',
];

/**
 * A rule that names this operation takes precedence over all that name `file-read*`, wherever those stand (seen
 * on macOS by github.com/GreyhavenHQ/greywall, pull request 20), so all rules name this one.
 */
const READ = 'file-read-data';

export const seatbelt = (program: string): Sandbox => ({
  name: 'sandbox-exec',
  commandFor: ({ file, args, cwd, env }, boundaries) => ({
    file: program,
    args: ['-p', profile(boundaries), file, ...args],
    cwd,
    env: {
      ...withoutPlaces(env, { home: boundaries.home ?? boundaries.cache, tmp: boundaries.cache }),
      XDG_CACHE_HOME: boundaries.cache,
    },
  }),
});

function profile({
  folder,
  readable,
  home,
  guarded,
  hidden,
  names,
  cache,
}: SandboxBoundaries): string {
  const isOwn = (place: string): boolean => isInside(folder, place, 'darwin');
  const cover = (place: string): string => `(deny ${READ} file-write* ${all(place)})`;
  const covered = hidden.map((one) => one.path);
  const own = covered.filter(isOwn);
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny job-creation)',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    '(deny process-info* (target others))',
    `(deny mach-lookup ${SERVICES.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    `(deny process-exec ${STARTERS.map(literal).join(' ')})`,
    '(deny file-write*)',
    `(allow file-write* ${DEVICES.map(literal).join(' ')})`,
    `(deny ${READ} ${[...OWN, ...(home === null ? [] : [home])].map(below).join(' ')})`,
    ...readable.map((place) => `(allow ${READ} ${below(place)})`),
    ...covered.filter((place) => !isOwn(place)).map(cover),
    `(allow ${READ} file-write* ${below(folder)})`,
    ...names.map((name) => `(deny file-write* ${named(folder, name)})`),
    ...guarded.map((place) => `(deny file-write* ${all(place)})`),
    ...own.map(cover),
    // If its folder were renamed, a protected path would be a different one.
    ...foldersBetween([...guarded, ...own], folder).map(
      (place) => `(deny file-write-unlink ${literal(place)})`,
    ),
    `(allow ${READ} file-write* ${below(cache)})`,
  ].join('\n');
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const literal = (place: string): string => `(literal ${quoted(place)})`;
const below = (place: string): string => `(subpath ${quoted(place)})`;
/** Both forms are needed, because one of them may not match the file itself. */
const all = (place: string): string => `${literal(place)} ${below(place)}`;

/** At any depth and in any case, because the disk ignores case. */
const named = (folder: string, name: string): string =>
  `(regex #"^${escaped(folder)}/(.*/)?${anyCase(name)}(/|$)")`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|"]/g, '\\$&');

const anyCase = (name: string): string =>
  escaped(name).replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
