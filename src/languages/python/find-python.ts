/** Finds a working Python, and the tools that are modules of it. */
import {
  locateAll,
  locateProgram,
  type ProgramPlaces,
  type Resolution,
} from '../../processes/programs/locate.ts';
import type { Answers } from '../../processes/programs/program-finder.ts';

const SAYS = /^Python \d/m;

/** Tools that `python -m` runs if their own program is not on PATH. */
export const TOOLS: readonly string[] = ['pip', 'pytest', 'ruff'];

/**
 * Finds a working Python for `python`, `python3`, `python3.12` or `py`. A missing one is replaced by its sibling, and
 * the notice says so. On win32 a candidate counts only after it has answered: the Store's stub is a `python.exe` that
 * opens a shop.
 */
export async function findPython(
  name: string,
  places: ProgramPlaces,
  answers: Answers,
): Promise<Resolution> {
  const names = [name, ...['python', 'python3'].filter((other) => other !== name)];
  for (const candidate of names) {
    for (const file of locateAll(candidate, places)) {
      if (places.platform === 'win32' && !(await answers(file, [], SAYS))) continue;
      const notice = candidate === name ? '' : `${name} is not there; ran ${candidate}`;
      return { kind: 'found', file, prefix: [], notice };
    }
  }
  if (places.platform === 'win32' && name !== 'py') {
    for (const file of locateAll('py', places)) {
      if (!(await answers(file, ['-3'], SAYS))) continue;
      return { kind: 'found', file, prefix: ['-3'], notice: `${name} is not there; ran py -3` };
    }
  }
  return {
    kind: 'missing',
    reason:
      places.platform === 'win32'
        ? 'No working Python was found (the python.exe of the Microsoft Store is only a link to the shop).'
        : 'No Python was found on PATH.',
    hint: 'Python must be installed by the user. If the goal allows it, use node instead.',
  };
}

/** `null` for a name that is none of its tools, or if neither the tool nor a Python is found. */
export async function findTool(
  name: string,
  places: ProgramPlaces,
  answers: Answers,
): Promise<Resolution | null> {
  const tool = name === 'pip3' ? 'pip' : name;
  if (!TOOLS.includes(tool) || locateProgram(name, places) !== null) return null;
  const python = await findPython('python', places, answers);
  if (python.kind !== 'found') return null;
  const prefix = [...python.prefix, '-m', tool];
  return { ...python, prefix, notice: `${name} is not on PATH; ran: python -m ${tool}` };
}
