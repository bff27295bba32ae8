/** Pure: the files that a Python file may import, whether or not they exist. */

const IMPORT =
  /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([\w, \t]+)|import[ \t]+([\w., \t]+))/gm;

export function imports(path: string, text: string): readonly string[] {
  const here = path.split('/').slice(0, -1);
  return [...text.matchAll(IMPORT)].flatMap(([, from, names = '', modules = '']) =>
    from === undefined
      ? words(modules).flatMap((module) => filesOf(here, module.split('.')))
      : fromImport(here, from, words(names)),
  );
}

function fromImport(
  here: readonly string[],
  from: string,
  names: readonly string[],
): readonly string[] {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const module = from.slice(dots).split('.').filter(Boolean);
  const base = dots > 0 ? [...here.slice(0, here.length - dots + 1), ...module] : module;
  const folder = dots > 0 ? [] : here;
  return [base, ...names.map((name) => [...base, name])].flatMap((parts) => filesOf(folder, parts));
}

/** Beside the file, and from the workspace's root. */
function filesOf(here: readonly string[], parts: readonly string[]): readonly string[] {
  const places = here.length > 0 ? [[...here, ...parts], parts] : [parts];
  return places
    .filter((place) => place.length > 0)
    .flatMap((place) => [`${place.join('/')}.py`, `${place.join('/')}/__init__.py`]);
}

const words = (list: string): readonly string[] =>
  list
    .split(',')
    .flatMap((one) => one.trim().split(/\s+/).slice(0, 1))
    .filter(Boolean);
