/** Pure: names and signatures of the files there are, as the import lines to use. */
import type { Installed, OfferingFile } from './language.ts';
import { isTestPath, LANGUAGES, languageOf } from './languages.ts';

/**
 * A test file is told to begin with them: small models leave imports out of tests, or write the
 * functions once more. '' where nothing can be imported.
 */
export function importLines(
  files: readonly OfferingFile[],
  ownFile: string,
  installed: Installed,
): string {
  const others = files.filter(({ path }) => path !== ownFile);
  const lines = LANGUAGES.flatMap((language) => language.importLines?.(others) ?? []);
  if (lines.length === 0) return '';
  if (!isTestPath(ownFile)) return `You can import:\n${lines.join('\n')}`;
  const beside = languageOf(ownFile).testImports?.(installed) ?? [];
  return ['Its first lines are:', ...beside, ...lines].join('\n');
}
