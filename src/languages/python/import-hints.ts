/** Hints for names and modules that are not there, with the import line that would help. Pure. */
import type { CommandSeen, KnownNames } from '../command-seen.ts';
import { homeOf, notHere } from '../hint-words.ts';
import { importLine, moduleOf, owns } from './files.ts';

export function nameHint({ output }: CommandSeen, known: KnownNames): string | null {
  const name = /NameError: name '(\w+)' is not defined/.exec(output)?.[1];
  if (name === undefined) return null;
  const home = homeOf(name, known, owns);
  const user = raisedIn(output);
  return home === null || home === user
    ? `${name} is not defined${user === null ? '' : ` in ${user}`}. Define it before it is used, or import it.`
    : `Add this line at the top of ${user ?? 'the file'}: ${importLine(home, name)}`;
}

export function moduleHint({ output }: CommandSeen, known: KnownNames): string | null {
  const [, name, from] =
    /ImportError: cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'/.exec(
      output,
    ) ?? [];
  if (name !== undefined && from !== undefined) return importHint(name, from, output, known);
  const module = /No module named '?([\w.]+)'?/.exec(output)?.[1];
  return module === undefined ? null : missingModule(module, known);
}

function importHint(name: string, module: string, output: string, known: KnownNames): string {
  if (/partially initialized module/.test(output)) {
    return `${module} imports itself in a circle, or your file has the name of a library. Rename the file or move the import.`;
  }
  const home = homeOf(name, known, owns);
  if (home !== null && moduleOf(home) !== module) {
    return `${name} is defined in ${home}: ${importLine(home, name)}`;
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
  const [file] = known.files.filter((path) => path.split('/').at(-1) === `${last}.py`);
  if (file !== undefined) {
    return `${file} is here: import it as ${moduleOf(file)}, and run from the workspace folder (python -m pytest for tests).`;
  }
  if (module === top && known.files.includes(`${top}/__init__.py`))
    return `The package ${top} is here, but Python looks for it beside the script. Run the script as a module from the workspace folder: python -m FOLDER.NAME.`;
  if (known.files.some((path) => path.startsWith(`${top}/`)))
    return `The folder ${top} is here, but it holds no ${last}.py. Write it or import what is there.`;
  return notHere(module, `, or write ${top}.py first if it is part of the goal`, known);
}

const fileOfModule = (module: string, known: KnownNames): string | null =>
  known.files.find((file) => owns(file) && moduleOf(file) === module) ?? null;

/** The file the error came from, as Python or pytest names it. */
function raisedIn(output: string): string | null {
  const pytest = /^(\S+\.py):\d+: NameError/m.exec(output)?.[1];
  const frames = [...output.matchAll(/File "([^"]+\.py)", line \d+/g)];
  const file = pytest ?? frames.at(-1)?.[1];
  return file === undefined ? null : (file.split(/[\\/]/).at(-1) ?? null);
}
