/** Pure: the rows that say what became of the files of a run. */
import { listed } from '../../../evidence/evidence.ts';
import { firstOf } from '../../../lib/text/shortened.ts';
import { visible } from '../../../lib/text/visible.ts';
import type { RunResult } from '../../../run/result.ts';
import { commandFiles, onlyByCommand } from '../../../run/stream/changed-files.ts';
import { isWithheld } from '../../../schema/journal/swap.ts';
import { byFolder, MAX_NAMED } from '../../../shown/folders.ts';
import type { Patch } from '../../../undo/patch.ts';
import { fill } from '../text/fold.ts';
import { type Row, rowLines } from '../text/rows.ts';
import type { Style } from '../text/style.ts';
import { inLine, oneLine, plural } from '../text/text.ts';
import { commandFilesText } from './command-files.ts';
import { countText } from './patch.ts';

export type PatchSummary = Pick<Patch, 'path' | 'kind' | 'lines'>;

export interface FilesOfRun {
  readonly result: RunResult;
  /** What became of the files. */
  readonly patches: readonly PatchSummary[];
  /** The command that applies what is withheld. */
  readonly apply: string;
}

export function fileLines(outcome: FilesOfRun, style: Style, width: number): readonly string[] {
  const { patches, result } = outcome;
  if (result.ending === 'already_finished') return [];
  const isByCommand = ({ path }: PatchSummary): boolean => onlyByCommand(result.state, path);
  const named = (kind: Patch['kind']): Row[] => {
    const meant = patches.filter((patch) => patch.kind === kind);
    const who = whoText(meant, isByCommand);
    const names = namesOf(meant, isByCommand, (patch) => {
      const each = who === '' && isByCommand(patch) ? ' (by a command)' : '';
      return `${visible(patch.path)} ${countText(patch)}`.trimEnd() + each;
    });
    const words = firstOf(names, MAX_NAMED, ', and ') + who;
    return meant.length === 0 ? [] : [{ name: kind, words }];
  };
  const rows: readonly Row[] = isWithheld(result.state)
    ? withheldRows(outcome)
    : [...named('new'), ...named('changed'), ...named('removed')];
  return [
    ...rows.flatMap((row) => rowLines(row, width)),
    ...commandFilesText(commandFiles(result.state)).flatMap((line) =>
      fill(line, width - 2).map((part) => `  ${style.paint('warning', part)}`),
    ),
  ];
}

function namesOf(
  files: readonly PatchSummary[],
  isByCommand: (file: PatchSummary) => boolean,
  nameOf: (file: PatchSummary) => string,
): readonly string[] {
  const { named, folders } = byFolder(files, isByCommand);
  const counted = [...folders].map(
    ([folder, { length }]) => `${visible(folder)}/ (${plural(length, 'file')})`,
  );
  return [...named.map(nameOf), ...counted];
}

/** The rows about withheld changes: none of them are in the folder. */
function withheldRows({ patches, result, apply }: FilesOfRun): readonly Row[] {
  const names = patches.map((patch) => {
    const what = patch.kind === 'removed' ? '(removed)' : countText(patch);
    return `${visible(patch.path)} ${what}`.trimEnd();
  });
  const left = result.state.swap?.left ?? [];
  return [
    {
      name: 'withheld',
      words: `${firstOf(names, MAX_NAMED, ', and ')}: nothing proves this, so the folder is as it was before`,
    },
    ...left.map(({ path, why }) => ({ name: 'left', words: `${visible(path)}: ${oneLine(why)}` })),
    rowForCommand('keep it', apply),
  ];
}

const FEWEST_TOGETHER = 3;
const MAX_EXCEPT = 5;

/** One remark for all files that commands changed, if there are more than a few; '': each file has its own. */
function whoText(
  files: readonly PatchSummary[],
  isByCommand: (file: PatchSummary) => boolean,
): string {
  const others = files.filter((file) => !isByCommand(file)).map(({ path }) => visible(path));
  const isFew = others.length <= MAX_EXCEPT && others.length < files.length / 2;
  if (!isFew || files.length - others.length < FEWEST_TOGETHER) return '';
  return others.length === 0 ? ' (all by commands)' : ` (by commands, except ${listed(others)})`;
}

export const rowForCommand = (name: string, command: string): Row =>
  ({ name, words: inLine(command), isCommand: true }) as const;
