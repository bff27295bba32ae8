import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  candidateNames,
  isExecutableFile,
  isFile,
  locateProgram,
  type ProgramPlaces,
  plainName,
  type Resolution,
} from './locate.ts';
import type { Answers, ProgramKnowledge } from './program-finder.ts';
import { realOr } from './search-path.ts';

/** Finds `program` through `known` or by its name alone. The caller remembers what `answers` found out. */
export async function resolveProgram(
  program: string,
  places: ProgramPlaces,
  known: ProgramKnowledge,
  answers: Answers,
): Promise<Resolution> {
  if (/[\\/]/.test(program)) return resolvePath(program, places, known);
  // A batch file such as `npm.cmd` is replaced by the program behind it, where that is known.
  const name = plainName(program, places.platform).replace(
    places.platform === 'win32' ? /\.(?:cmd|bat)$/ : /$^/,
    '',
  );
  for (const finder of known.finders) {
    const resolution = await finder(name, places, answers);
    if (resolution !== null) return resolution;
  }
  const file = locateProgram(program, places);
  return file === null
    ? (locateScript(program, places, known) ?? missing(program))
    : programFile(file);
}

/** A program given by path is accepted only in a trusted folder or in a folder of PATH. */
function resolvePath(program: string, places: ProgramPlaces, known: ProgramKnowledge): Resolution {
  const { platform, workspace } = places;
  const paths = pathsOf(platform);
  const absolute = paths.resolve(workspace, program);
  const folder = paths.dirname(absolute);
  const base = plainName(paths.basename(absolute), platform);
  const isSame = (one: string, other: string): boolean =>
    isInside(one, other, platform) && isInside(other, one, platform);
  const trusted = places.trusted.some(
    (place) => isSame(place.folder, folder) && place.serves(base),
  );
  const onPath = places.searchPath.some((entry) => isSame(entry, folder));
  if (!trusted && !onPath)
    return refusePath(program, base, isInside(workspace, absolute, platform), known);
  const names = candidateNames(absolute, platform);
  const file = names.find((candidate) => isExecutableFile(candidate, places));
  if (file === undefined) return missing(program);
  if (!trusted && isInside(workspace, realOr(file, places.fs), platform))
    return {
      kind: 'refused',
      reason: `${program} leads into the workspace; files there are not run as programs.`,
      hint: withoutPath(base),
    };
  return programFile(file);
}

const withoutPath = (base: string): string => `Name the program without its path: ${base}`;

function refusePath(
  program: string,
  base: string,
  inside: boolean,
  known: ProgramKnowledge,
): Resolution {
  const reason = inside
    ? `${program} lies in the workspace; files there are not run as programs.`
    : `${program} is not in a folder of PATH.`;
  const runner = inside ? known.runnerOf(base) : null;
  if (runner !== null) return { kind: 'refused', reason, hint: `Run it as: ${runner} ${program}` };
  return { kind: 'refused', reason, hint: withoutPath(base) };
}

/** Explains why an existing `.cmd` or `.bat` does not count. */
function locateScript(
  program: string,
  places: ProgramPlaces,
  known: ProgramKnowledge,
): Resolution | null {
  if (places.platform !== 'win32') return null;
  const paths = pathsOf(places.platform);
  const names = /\.(?:cmd|bat)$/i.test(program) ? [program] : [`${program}.cmd`, `${program}.bat`];
  const trusted = places.trusted.map(({ folder }) => folder);
  for (const folder of [...trusted, ...places.searchPath]) {
    const script = names.find((name) => isFile(paths.join(folder, name), places));
    if (script === undefined) continue;
    return {
      kind: 'refused',
      reason: `${script} is a batch file: Windows hands it to cmd.exe, which reads the arguments as commands again.`,
      hint: `Run the program behind it directly, for example: ${known.startExample}. Else cmd /c ${script} can be asked for, which needs a yes.`,
    };
  }
  return null;
}

const programFile = (file: string): Resolution => ({ kind: 'found', file, prefix: [], notice: '' });

const missing = (program: string): Resolution => ({
  kind: 'missing',
  reason: `There is no program ${program} on this machine (looked on PATH, outside the workspace).`,
  hint: 'Check the spelling or use another program; commands start with a program, not with a file.',
});
