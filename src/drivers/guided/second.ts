/** A file asked for a second time, in a conversation that knows nothing of the first. */
import { importLines } from '../../languages/import-lines.ts';
import { languageOf } from '../../languages/languages.ts';
import type { Ask, DriverView, Words } from '../driver.ts';
import { secondQuestion } from './questions.ts';
import { writtenFiles } from './select.ts';

export function composeSecond({ question }: Ask, { state, world, installed }: DriverView): Words {
  const file = question.kind === 'content' ? question.file : '';
  const files = writtenFiles(state).map(([path, { defines }]) => ({ path, defines }));
  const readText = (path: string): string | null => world.readText(path);
  const language = languageOf(file);
  const itself = files.filter(({ path }) => path === file);
  const users = { path: language.runs?.testFileOf(file) ?? file, readText };
  const text = secondQuestion({
    goal: state.goal,
    file,
    imports: importLines(files, file, installed, readText),
    usedBy: language.importLines?.(itself, users) ?? [],
  });
  return { text, rewindTo: 0 };
}
