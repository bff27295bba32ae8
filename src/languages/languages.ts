/** The only list of languages, and questions to all of them. */
import { go } from './go/go.ts';
import { javascript } from './javascript/javascript.ts';
import { json } from './json/json.ts';
import type { Language } from './language.ts';
import { python } from './python/python.ts';
import { hasEndingOfCode } from './text/test-names.ts';
import { text } from './text/text.ts';

/** The first language that claims a file owns it; the last owns all. */
export const LANGUAGES: readonly Language[] = [python, javascript, go, json, text];

export const languageOf = (path: string): Language =>
  LANGUAGES.find((language) => language.owns(path)) ?? text;

/** True for files that test runners pick up by their names: the only definition of a test. */
export const isTestPath = (path: string): boolean => languageOf(path).isTest(path);

/** True for tests, and for files in a folder of tests (helpers, fixtures, data) or of such a name (`tests.py`). */
export const belongsToTests = (path: string): boolean =>
  isTestPath(path) ||
  languageOf(path).resemblesTest?.(path) === true ||
  /(?:^|\/)(?:(?:tests?|specs?|__tests__|__snapshots__|testdata)\/|tests\.\w+$)/.test(path);

/** True for files that configure how tests are run, or that run before them. */
export const configuresTests = (path: string): boolean =>
  LANGUAGES.some((language) => language.configuresTests?.(path) === true);

/** True for code that only configures a program, such as a checker. */
export const isSettingsCode = (path: string): boolean =>
  languageOf(path).isSettingsCode?.(path) === true;

/** True for test settings of programs that belong to no language here. */
export const configuresOtherTests = (path: string): boolean =>
  text.configuresTests?.(path) === true;

/** Tests, files that belong to them, and files that configure how they are run. */
export const bearsOnTests = (path: string): boolean =>
  belongsToTests(path) || configuresTests(path);

/** True for files in a folder of installed packages, wherever it is. */
export const isDependency = (path: string): boolean => {
  const folders = path.split('/').slice(0, -1);
  return LANGUAGES.some(({ machine }) =>
    machine?.dependencyFolders?.some((name) => folders.includes(name)),
  );
};

/** Files that show when a foreign package is new. @param namesIn the names in a folder */
export const packageFiles = (namesIn: (folder: string) => readonly string[]): readonly string[] =>
  LANGUAGES.flatMap(({ machine }) => machine?.packageFiles?.(namesIn) ?? []);

/** True for files that can be run, or be part of what is run. */
export const runsAsCode = (path: string): boolean =>
  languageOf(path).runs !== undefined && !isDataPath(path);

/** True for files of code, also in languages about which the engine knows nothing else. */
export const isCodeByName = (path: string): boolean => runsAsCode(path) || hasEndingOfCode(path);

export const isDataPath = (path: string): boolean => languageOf(path).isData(path);

/** True for files that document code, in any language. */
export const isDocument = (path: string): boolean =>
  LANGUAGES.some((language) => language.isDocument?.(path) === true);

/** Most manifests are data files by their format, so every language is asked. */
export const isManifest = (path: string): boolean =>
  LANGUAGES.some((language) => language.isManifest?.(path) === true);

export const marksPackage = (path: string): boolean =>
  languageOf(path).marksPackage?.(path) ?? false;

/** True for files that programs read: sentences alone are not valid content. */
export const isCodePath = (path: string): boolean => languageOf(path).mayBeProse?.(path) !== true;

/** True for the label of a fence, `python` or `js`, if it names a programming language. */
export const isCodeLabel = (label: string): boolean =>
  LANGUAGES.some(
    ({ name, runs, owns, isData }) =>
      runs !== undefined && (name === label || (owns(`a.${label}`) && !isData(`a.${label}`))),
  );

/** True for a text that some language would read as code, because of what it defines. */
export const definesSomething = (text: string): boolean =>
  LANGUAGES.some(({ definedNames }) => (definedNames?.(text) ?? []).length > 0);

const CACHES_OF_EACH = LANGUAGES.flatMap(({ machine }) => machine?.caches ?? []);
const CACHES = {
  names: new Set(CACHES_OF_EACH.flatMap(({ names }) => names)),
  endings: CACHES_OF_EACH.flatMap(({ endings }) => endings),
};

/** Caches of the languages: neither work of the model nor a change by it. */
export const isCache = (name: string): boolean =>
  CACHES.names.has(name) || CACHES.endings.some((ending) => name.endsWith(ending));

/** Folders relative to the workspace with installed packages: a copy uses them where they are. */
export const isInstalled = (path: string, platform: NodeJS.Platform): boolean =>
  LANGUAGES.some(({ machine }) =>
    machine?.programFolders(platform).some(({ root }) => root === path),
  );

/** Variables for all programs that work in a copy. */
export const variablesInCopy = (
  folder: string,
  platform: NodeJS.Platform,
): { readonly [name: string]: string } =>
  Object.assign({}, ...LANGUAGES.map(({ machine }) => machine?.inCopy?.(folder, platform)));

/** Installed packages in the folder, which may be links to packages of the workspace itself. */
export const packageLinks = (namesIn: (folder: string) => readonly string[]): readonly string[] =>
  LANGUAGES.flatMap(({ machine }) => machine?.packageLinks?.(namesIn) ?? []);

/** The content of a file that was given as a value. */
export const contentOf = (path: string, value: object): string | null =>
  languageOf(path).contentOf?.(value) ?? null;
