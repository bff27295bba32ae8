/** Pure: what make may be asked to do with the Makefile that exists when a run opens. */
import { posix } from 'node:path';
import { lazily } from '../../lib/lazily.ts';
import {
  type CommandRule,
  type CommandRules,
  changedByRun,
  hashesOf,
  type LineBehind,
  refuse,
} from '../commands/command-rule.ts';

/** In the order in which make looks for them. */
const FILES = ['GNUmakefile', 'makefile', 'Makefile'];
/** `gmake` and `mingw32-make`, too; what `cmake` does stands elsewhere. */
const MAKE = /(?:^|[\\/-])[bgn]?make(?:\.exe)?$/;
const isMakefile = (path: string): boolean =>
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$|\.mk$/.test(path);

/**
 * Options about how make works, never about what it runs; any other option may load code, leave the folder, or set a
 * variable.
 */
const PLAIN =
  /^(?:-[kniBsq]+|-j\d*|\d+|--(?:keep-going|dry-run|silent|quiet|always-make|version|jobs(?:=\d+)?)|(?!-)[\w./-]*[\w-])$/;

const makeRule: CommandRule = (args, { builds: { taken, now, hasChanged, unseen }, isOutside }) => {
  if (FILES.every((file) => taken?.[file] === undefined))
    return changedByRun(
      'make',
      unseen ?? 'make is not allowed: there was no Makefile when the run began.',
    );
  const other = args.find((arg) => !PLAIN.test(arg) || (!arg.startsWith('-') && isOutside(arg)));
  if (other !== undefined) return refuse('make', `make ${other} is not allowed.`);
  const today = now();
  const isChanged = FILES.some((file) => today[file] !== taken?.[file]) || hasChanged(isMakefile);
  return isChanged
    ? changedByRun('make', 'The Makefile is not as it was when the run began.')
    : null;
};

/** Every line of the file, without the marks before a command. Included files run where make was started. */
function recipesIn(file: string, text: string | null): readonly LineBehind[] {
  const folder = file.endsWith('.mk') ? '' : posix.dirname(file);
  const lines = text?.replace(/\\\r?\n/g, ' ').split(/\r?\n/) ?? [];
  return lines.map((line) => ({ text: line.replace(/^\s*[@+-]+/, ''), file, folder }));
}

export const make: CommandRules = {
  rules: { make: makeRule },
  description: 'make TARGET',
  runExample: 'make TARGET',
  builds: {
    files: FILES,
    take: (view) => hashesOf(FILES, view),
    behind: ({ files, readText }) => {
      const lines = lazily(() =>
        [...new Set([...FILES, ...files.filter(isMakefile)])].flatMap((file) =>
          recipesIn(file, readText(file)),
        ),
      );
      return ([program = '']) => (MAKE.test(program) ? lines() : []);
    },
    verbs: (taken) => (FILES.some((file) => taken[file] !== undefined) ? ['make TARGET'] : []),
  },
};
