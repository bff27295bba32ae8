/** Pure: phrases that lines of several kinds of records share. */
import {
  AT_TERMINAL,
  BY_ATTACH,
  BY_COMMAND,
  BY_EDITOR,
  BY_LIBRARY,
  BY_MCP,
  BY_OPTION,
  type Giver,
} from '../../../schema/journal/permissions.ts';
import type { RecordOf } from '../../../schema/records.ts';
import { oneLine, plural } from '../text/text.ts';

export const parentText = ({ parent }: RecordOf<'run_opened'>): string =>
  parent === undefined ? '' : ` (for run ${parent.run}, record ${parent.seq})`;

export const workerText = ({ worker }: RecordOf<'lease_taken'>): string =>
  worker === undefined ? '' : `, worker ${oneLine(worker)}`;

export const formatPlanAuthor = ({ by }: RecordOf<'plan_set' | 'replanned'>): string =>
  by === undefined ? '' : `, given by ${oneLine(by)}`;

export const formatParts = ({ parts = [] }: RecordOf<'person_said'>): string =>
  parts.map(({ mediaType }) => ` [${oneLine(mediaType)}]`).join('');

const DOORS: { readonly [door: string]: string } = {
  [AT_TERMINAL.door]: 'at the terminal',
  [BY_COMMAND.door]: 'by a command from elsewhere',
  [BY_ATTACH.door]: 'from another terminal',
  [BY_EDITOR.door]: 'in an editor',
  [BY_MCP.door]: 'by a program over MCP',
  [BY_OPTION.door]: 'by an option',
  [BY_LIBRARY.door]: 'by the program that runs it',
};
const KNOWN: ReadonlySet<string | undefined> = new Set([
  ...[AT_TERMINAL.by, BY_OPTION.by, 'rule', 'engine', undefined],
]);

/** Who gave an answer, if that is a name, and where it came from. */
export function formatApprover({ by, door }: Giver): string {
  const name = KNOWN.has(by) ? [] : [`by ${oneLine(by ?? '')}`];
  const way = door === undefined ? [] : [DOORS[door] ?? `through ${oneLine(door)}`];
  const said = [...name, ...way].join(', ');
  return said === '' ? '' : ` (${said})`;
}

type FileCandidate = RecordOf<'file_candidate_shown' | 'file_candidate_taken'>;

export const candidateName = ({ path, index }: FileCandidate): string =>
  `candidate ${index + 1} of ${oneLine(path)}`;

export function formatCandidate({ showed }: RecordOf<'file_candidate_shown'>): string {
  const failed = showed.filter((one) => one.failed);
  if (failed.length === 0) return `${plural(showed.length, 'check')}, none failed`;
  const why = failed.map(({ check, detail }) =>
    oneLine([`${check} failed`, detail].filter(Boolean).join(': ')),
  );
  return why.join('; ');
}
