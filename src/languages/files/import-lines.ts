/** Pure: names and signatures of the existing files, as import lines to use. */
import type { ForFile, Installed, OfferingFile } from '../language.ts';
import { isTestPath, LANGUAGES, languageOf } from '../languages.ts';

/**
 * A test file is told to begin with them: small models leave imports out of tests, or write the functions again. '' if
 * nothing can be imported.
 */
export function importLines(
  files: readonly OfferingFile[],
  ownFile: string,
  installed: Installed,
  readText: ForFile['readText'],
): string {
  const forFile: ForFile = { path: ownFile, readText };
  const others = files.filter(({ path }) => path !== ownFile);
  const own = languageOf(ownFile);
  const about = own.isDocument?.(ownFile) ? LANGUAGES : [];
  const languages = own.importLines ? [own] : about;
  const lines = languages.flatMap((language) => language.importLines?.(others, forFile) ?? []);
  if (lines.length === 0) return '';
  if (!isTestPath(ownFile)) return `You can import:\n${lines.join('\n')}`;
  const beside = own.testImports?.(installed, forFile) ?? [];
  return ['Its first lines are:', ...beside, ...lines].join('\n');
}
