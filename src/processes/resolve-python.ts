import { locateAll, type ProgramPlaces, type Resolution } from './locate.ts';

/** True when this program, run with `--version`, printed a Python version. Remembered by the owner. */
export type PythonAnswers = (file: string, prefix: readonly string[]) => Promise<boolean>;

/**
 * Finds a working Python for `python`, `python3`, `python3.12` or `py`. One that is not there is
 * replaced by its sibling, and the notice says so. On win32 a candidate counts only after it
 * answered: the Store's stub is a `python.exe` that opens a shop.
 */
export async function findPython(
  name: string,
  places: ProgramPlaces,
  answers: PythonAnswers,
): Promise<Resolution> {
  const names = [name, ...['python', 'python3'].filter((other) => other !== name)];
  for (const candidate of names) {
    for (const file of locateAll(candidate, places)) {
      if (places.platform === 'win32' && !(await answers(file, []))) continue;
      const notice = candidate === name ? '' : `${name} is not there; ran ${candidate}`;
      return { kind: 'found', file, prefix: [], notice };
    }
  }
  if (places.platform === 'win32' && name !== 'py') {
    for (const file of locateAll('py', places)) {
      if (!(await answers(file, ['-3']))) continue;
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
