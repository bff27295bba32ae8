import { everyNode, lineOf, type SourceFile, type Syntax } from './source-file.ts';
import { wordsIn } from './words.ts';

/** What stands there is given to other programs, or said of their flags. */
const ROOMS_OF_OTHER_PROGRAMS =
  /^src\/(?:languages|policy|processes|fleet\/home)\/|^src\/llm\/embedded\/install[\w-]*\.ts$/;
const COMMAND_LINE = /^src\/(?:cli\/|options\/|bin\.ts$)/;

const FLAG = /(?:^|[\s(`'"])--[a-z]/;
/** Its name comes behind. */
const START_OF_FLAG = /(?:^|[\s(`'"])--$/;

/** Sentences outside the table of options and the command line that say what its options are called. */
export function flagsNamed(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !COMMAND_LINE.test(path) && !ROOMS_OF_OTHER_PROGRAMS.test(path))
    .flatMap((file) => {
      const patterns = startsOf(file, (node) => 'regex' in node);
      const cut = startsOf(file, (node) => node.type === 'TemplateElement' && node.tail === false);
      return wordsIn(file)
        .filter(({ at }) => !patterns.has(at))
        .filter(({ text, at }) => FLAG.test(text) || (cut.has(at) && START_OF_FLAG.test(text)))
        .map(
          ({ text, at }) =>
            `${file.path}:${lineOf(file, at)} says ${JSON.stringify(text.slice(0, 80))}`,
        );
    });
}

const startsOf = ({ program }: SourceFile, isMeant: (node: Syntax) => boolean): Set<number> =>
  new Set(
    everyNode(program)
      .filter(isMeant)
      .map(({ start }) => start),
  );
