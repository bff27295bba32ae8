import { PROGRAM_NAMES } from '../../../src/cli/process/program-name.ts';
import { COMMAND_NAMES } from '../../../src/options/commands.ts';
import { lineOf, type SourceFile } from './source-file.ts';
import { wordsIn } from './words.ts';

/** The one file that knows them. */
const NAMES = 'src/cli/process/program-name.ts';

const WORDS = [...COMMAND_NAMES, 'help', 'acp', 'serve', 'update'].join('|');
/** A name with what stands behind it on a command line. */
const COMMAND = new RegExp(
  `(?:^|[^\\w-])(?:${PROGRAM_NAMES.join('|')}) (?:(?:${WORDS})(?![\\w-])|--?[a-z]|["<|]|$)|\\bnpx ${PROGRAM_NAMES[2]}`,
);

/** Texts that put a name of the program before a command: it may have been started by another one. */
export function commandsNamed(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path !== NAMES)
    .flatMap((file) =>
      wordsIn(file)
        .filter(
          ({ text }) =>
            COMMAND.test(text) || (file.path.startsWith('src/cli/') && text === PROGRAM_NAMES[0]),
        )
        .map(
          ({ text, at }) =>
            `${file.path}:${lineOf(file, at)} says ${JSON.stringify(text.slice(0, 80))}`,
        ),
    );
}
