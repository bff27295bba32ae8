import {
  candidateNames,
  isFile,
  isRunnable,
  locate,
  type ProgramPlaces,
  plainName,
  type Resolution,
} from './locate.ts';
import { findPython, type PythonAnswers } from './resolve-python.ts';
import { isInside, pathsOf } from './search-path.ts';

/** Tools that are modules as well: where their own program is not on PATH, `python -m` runs them. */
const PYTHON_TOOLS = ['pip', 'pytest', 'ruff'];

/**
 * Finds `program`. `answers` says whether a candidate for Python really is one; what it found out
 * is the caller's to remember.
 */
export async function resolveProgram(
  program: string,
  places: ProgramPlaces,
  answers: PythonAnswers,
): Promise<Resolution> {
  if (/[\\/]/.test(program)) return resolvePath(program, places);
  const name = plainName(program, places.platform);
  if (/^(?:python[\d.]*|py)$/.test(name)) return findPython(name, places, answers);
  if (places.platform === 'win32' && (name === 'npm' || name === 'npx')) {
    return resolveNpm(name, places);
  }
  const file = locate(program, places);
  if (file !== null) return found(file);
  if (name === 'node') return found(places.nodePath);
  const tool = name === 'pip3' ? 'pip' : name;
  if (PYTHON_TOOLS.includes(tool)) {
    const python = await findPython('python', places, answers);
    if (python.kind === 'found') {
      const prefix = [...python.prefix, '-m', tool];
      return { ...python, prefix, notice: `${name} is not on PATH; ran: python -m ${tool}` };
    }
  }
  return locateScript(program, places) ?? missing(program);
}

/** A program given with its path: only in a trusted folder or in one of PATH's. */
function resolvePath(program: string, places: ProgramPlaces): Resolution {
  const { platform, workspace } = places;
  const paths = pathsOf(platform);
  const absolute = paths.resolve(workspace, program);
  const folder = paths.dirname(absolute);
  const trusted = places.trusted.some(
    (place) => place.isUntouched() && isInside(place.folder, folder, platform),
  );
  const onPath = places.searchPath.some(
    (entry) => isInside(entry, folder, platform) && isInside(folder, entry, platform),
  );
  const base = plainName(paths.basename(absolute), platform);
  if (!trusted && !onPath)
    return refusePath(program, base, isInside(workspace, absolute, platform));
  const names = candidateNames(absolute, platform);
  const file = names.find((candidate) => isRunnable(candidate, places));
  return file === undefined ? missing(program) : found(file);
}

function refusePath(program: string, base: string, inside: boolean): Resolution {
  const reason = inside
    ? `${program} lies in the workspace; files there are not run as programs.`
    : `${program} is not in a folder of PATH.`;
  const script = /\.(py|m?js|cjs)$/.exec(base)?.[1];
  if (inside && script !== undefined) {
    const runner = script === 'py' ? 'python' : 'node';
    return { kind: 'refused', reason, hint: `Run it as: ${runner} ${program}` };
  }
  return { kind: 'refused', reason, hint: `Name the program without its path: ${base}` };
}

/** npm and npx are `.cmd` files on Windows; behind them stands a script for node. */
function resolveNpm(name: 'npm' | 'npx', places: ProgramPlaces): Resolution {
  const paths = pathsOf(places.platform);
  const node = locate('node', places) ?? places.nodePath;
  // A newer npm, installed by npm itself, stands on PATH before the one that came with node.
  const folders = places.searchPath.filter((folder) =>
    isFile(paths.join(folder, `${name}.cmd`), places),
  );
  for (const folder of [...folders, paths.dirname(node), paths.dirname(places.nodePath)]) {
    const script = paths.join(folder, 'node_modules', 'npm', 'bin', `${name}-cli.js`);
    if (isFile(script, places)) return { kind: 'found', file: node, prefix: [script], notice: '' };
  }
  return {
    kind: 'missing',
    reason: `${name} was not found beside node.exe or on PATH.`,
    hint: 'Install Node.js with npm, or do without it: node FILE.js',
  };
}

/** Says why a `.cmd` or `.bat` that is there does not count. */
function locateScript(program: string, places: ProgramPlaces): Resolution | null {
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
      hint: 'Run the program behind it directly, for example: node FILE.js or python -m MODULE',
    };
  }
  return null;
}

const found = (file: string): Resolution => ({ kind: 'found', file, prefix: [], notice: '' });

const missing = (program: string): Resolution => ({
  kind: 'missing',
  reason: `There is no program ${program} on this machine (looked on PATH, outside the workspace).`,
  hint: 'Check the spelling or use another program; commands start with a program, not with a file.',
});
