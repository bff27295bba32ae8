import type { CommandSeen, KnownNames } from './command-seen.ts';

/** Hints for names and modules that are not there, with the import line that would help. Pure. */

export function nameHint({ output }: CommandSeen, known: KnownNames): string | null {
  const python = /NameError: name '(\w+)' is not defined/.exec(output)?.[1];
  if (python !== undefined) {
    const home = homeOf(python, known, /\.py$/);
    const user = raisedIn(output);
    return home === null || home === user
      ? `${python} is not defined${user === null ? '' : ` in ${user}`}. Define it before it is used, or import it.`
      : `Add this line at the top of ${user ?? 'the file'}: from ${moduleName(home)} import ${python}`;
  }
  const script = /^ReferenceError: ([\w$]+) is not defined/m.exec(output)?.[1];
  if (script === undefined) return null;
  if (/^(?:require|module|exports|__dirname)$/.test(script)) {
    return 'This file is an ES module: use import and export instead of require and module.exports.';
  }
  const home = homeOf(script, known, /\.[cm]?js$/);
  return home === null
    ? `${script} is not defined. Define it before it is used, or import it.`
    : `Export it from ${home} and import it: import { ${script} } from './${home}';`;
}

export function moduleHint({ output }: CommandSeen, known: KnownNames): string | null {
  const importFailed =
    /ImportError: cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'/.exec(
      output,
    );
  if (importFailed !== null)
    return importHint(importFailed[1] ?? '', importFailed[2] ?? '', output, known);
  const module =
    /No module named '?([\w.]+)'?/.exec(output)?.[1] ??
    /Cannot find (?:package|module) '([^'./][^']*)'/.exec(output)?.[1];
  if (module === undefined) return null;
  return missingModule(module, known);
}

function importHint(name: string, module: string, output: string, known: KnownNames): string {
  if (/partially initialized module/.test(output)) {
    return `${module} imports itself in a circle, or your file has the name of a library. Rename the file or move the import.`;
  }
  const home = homeOf(name, known, /\.py$/);
  if (home !== null && moduleName(home) !== module) {
    return `${name} is defined in ${home}: from ${moduleName(home)} import ${name}`;
  }
  const own = fileOfModule(module, known);
  const has = known.definitions.filter(({ file }) => file === own).map((each) => each.name);
  if (own === null) return `${module} has no ${name}. Import a name that it has.`;
  const offers = has.length === 0 ? 'defines nothing to import' : `defines: ${has.join(', ')}`;
  return `${own} ${offers}. Define ${name} there, or import one of these names.`;
}

function missingModule(module: string, known: KnownNames): string {
  const top = module.split('.')[0] ?? module;
  const last = module.split('.').at(-1) ?? module;
  const own = known.files.filter((file) => file.split('/').at(-1) === `${last}.py`);
  if (own.length > 0) {
    const file = own[0] ?? '';
    return `${file} is here: import it as ${moduleName(file)}, and run from the workspace folder (python -m pytest for tests).`;
  }
  const inside = known.files.some((file) => file.startsWith(`${top}/`));
  if (inside)
    return `The folder ${top} is here, but it holds no ${last}.py. Write it or import what is there.`;
  return `There is no ${module} here and nothing can be installed. Use the standard library, or write ${top}.py first if it is part of the goal.`;
}

/** The one file that defines the name: two would make a guess. */
function homeOf(name: string, known: KnownNames, kind: RegExp): string | null {
  const homes = known.definitions.filter((each) => each.name === name && kind.test(each.file));
  const files = [...new Set(homes.map(({ file }) => file))];
  return files.length === 1 ? (files[0] ?? null) : null;
}

const fileOfModule = (module: string, known: KnownNames): string | null => {
  const path = module.replaceAll('.', '/');
  return (
    known.files.find((file) => file === `${path}.py` || file === `${path}/__init__.py`) ?? null
  );
};

const moduleName = (file: string): string =>
  file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');

/** The file the error came from, as Python or pytest names it. */
function raisedIn(output: string): string | null {
  const pytest = /^(\S+\.py):\d+: NameError/m.exec(output)?.[1];
  const frames = [...output.matchAll(/File "([^"]+\.py)", line \d+/g)];
  const file = pytest ?? frames.at(-1)?.[1];
  return file === undefined ? null : (file.split(/[\\/]/).at(-1) ?? null);
}
