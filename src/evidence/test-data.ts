/** Finds what tests compare with, or are given, where nothing but them names it: `golden/sums.json`. Pure. */
import { posix } from 'node:path';
import {
  bearsOnTests,
  belongsToTests,
  isCodeByName,
  isDataPath,
  isDocument,
} from '../languages/languages.ts';
import type { Proof } from '../schema/plan.ts';
import { isKnownTestRun, partsOfProof } from './program-of-proof.ts';

interface Files {
  /** Files of the workspace. */
  readonly files: readonly string[];
  readonly readText: (path: string) => string | null;
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
}

/** What people and runners call results to compare with. */
const EXPECTED =
  /(?:^|\/)(?:expected|goldens?|approved|snapshots?|fixtures?)(?:\/|[\w.-]*$)|\.(?:snap|golden|expected|approved)(?:\.\w+)?$/i;

/** Folders whose files are results, whatever their endings. */
const FOLDER = /(?:^|\/)(?:expected|goldens?|approved|snapshots?|fixtures?)\//i;

/**
 * @param changed files that were there before the run
 * @param isAsked true for a file that the goal names: if tests use its data, it may be the work
 */
export function testDataIn(
  changed: readonly string[],
  proof: Proof,
  isAsked: (path: string) => boolean,
  run: Files,
): readonly string[] {
  const isSource = (path: string): boolean => isCodeByName(path) || isDocument(path);
  const data = changed.filter(
    (path) =>
      !bearsOnTests(path) &&
      (isSource(path)
        ? FOLDER.test(path)
        : EXPECTED.test(path) || (isDataPath(path) && !isAsked(path))),
  );
  if (data.length === 0) return [];
  const { lines, programs } = partsOfProof(proof, run);
  // The programs before a test run only build. A program whose output the goal states is the work itself.
  const isCheck = !isKnownTestRun(proof, run);
  const checks = isCheck && proof.prints === undefined ? programs.slice(-1) : [];
  const ofTests = new Set([...run.files.filter(belongsToTests), ...checks]);
  const others = new Set([...ofTests, ...data, ...lines.map(({ file }) => file)]);
  const ofCode = run.files.filter(
    (path) => !(others.has(path) || isDataPath(path) || isDocument(path)),
  );
  return data.filter((path) => {
    const forms = formsOf(path, run.files);
    const isNamed = (text: string): boolean => forms.some((form) => stands(text, form));
    const isNamedIn = (paths: Iterable<string>): boolean =>
      [...paths].some((one) => one !== path && isNamed(run.readText(one) ?? ''));
    if (isNamedIn(ofCode)) return false;
    return (
      (EXPECTED.test(path) && !isSource(path)) ||
      isNamedIn(ofTests) ||
      (isCheck && lines.some(({ text }) => isNamed(text)))
    );
  });
}

/** How code names a file: by its name, or by its folder if that holds no code. */
function formsOf(path: string, files: readonly string[]): readonly string[] {
  const { base, dir } = posix.parse(path);
  const folder = posix.basename(dir);
  const isOfCode =
    !FOLDER.test(path) && files.some((one) => posix.dirname(one) === dir && isCodeByName(one));
  return folder === '' || isOfCode ? [base] : [base, `${folder}/`, `'${folder}'`, `"${folder}"`];
}

/** `sums.json` stands in `golden/sums.json`, and in neither `my-sums.json` nor `sums.json5`. */
function stands(text: string, form: string): boolean {
  const isPart = (side: RegExp, char = ''): boolean => side.test(form) && /[\w.-]/.test(char);
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
    if (!isPart(/^[\w.-]/, text[at - 1]) && !isPart(/\w$/, text[at + form.length])) return true;
  return false;
}
