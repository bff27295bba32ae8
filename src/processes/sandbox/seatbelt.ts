/**
 * macOS: `sandbox-exec` and a profile that it reads, of which the last line about something counts. Pure.
 * What is new in the folder is held by its name here, so nothing need be looked for afterwards.
 */
import path from 'node:path';
import { type Sandbox, type Walls, withoutPlaces } from './contract.ts';

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** Where people keep what is theirs. */
const OWN = ['/Users', '/Volumes', '/private/tmp', '/private/var/folders', '/private/var/root'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper', '/dev/random'];
/** They have others start programs, outside of every wall. */
const STARTERS = ['/usr/bin/open', '/usr/bin/osascript', '/bin/launchctl', '/usr/bin/at'];

export const seatbelt = (program: string): Sandbox => ({
  name: 'sandbox-exec',
  commandFor: ({ file, args, cwd, env }, walls) => ({
    file: program,
    args: ['-p', profile(walls), file, ...args],
    cwd,
    env: {
      ...withoutPlaces(env, { home: walls.home ?? walls.cache, tmp: walls.cache }),
      XDG_CACHE_HOME: walls.cache,
    },
  }),
});

function profile({ folder, readable, home, guarded, hidden, names, cache }: Walls): string {
  const isOwn = (place: string): boolean => !path.posix.relative(folder, place).startsWith('..');
  const cover = (place: string): string => `(deny file-read-data file-write* ${below(place)})`;
  const covered = hidden.map((one) => one.path);
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny appleevent-send)',
    `(deny process-exec ${STARTERS.map(literal).join(' ')})`,
    '(deny file-write*)',
    `(allow file-write* ${DEVICES.map(literal).join(' ')})`,
    `(deny file-read-data ${[...OWN, ...(home === null ? [] : [home])].map(below).join(' ')})`,
    ...readable.map((place) => `(allow file-read* ${below(place)})`),
    ...covered.filter((place) => !isOwn(place)).map(cover),
    `(allow file-read* file-write* ${below(folder)})`,
    ...names.map((name) => `(deny file-write* ${named(folder, name)})`),
    ...guarded.map((place) => `(deny file-write* ${below(place)})`),
    ...covered.filter(isOwn).map(cover),
    `(allow file-read* file-write* ${below(cache)})`,
  ].join('\n');
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const literal = (place: string): string => `(literal ${quoted(place)})`;
const below = (place: string): string => `(subpath ${quoted(place)})`;

/** At any depth, in capital letters or small ones: the disk knows no difference. */
const named = (folder: string, name: string): string =>
  `(regex #"^${escaped(folder)}/(.*/)?${anyCase(name)}(/|$)")`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|"]/g, '\\$&');

const anyCase = (name: string): string =>
  escaped(name).replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
