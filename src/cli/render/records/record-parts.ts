/** Pure: phrases that lines of several kinds of records share. */
import { visible } from '../../../lib/text/visible.ts';
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

type FileCandidate = RecordOf<'file_candidate_shown' | 'file_candidate_taken'>;

export const candidateName = ({ path, index }: FileCandidate): string =>
  `candidate ${index + 1} of ${visible(path)}`;

export function formatCandidate({ showed }: RecordOf<'file_candidate_shown'>): string {
  const failed = showed.filter((one) => one.failed);
  if (failed.length === 0) return `${plural(showed.length, 'check')}, none failed`;
  const why = failed.map(({ check, detail }) =>
    oneLine([`${check} failed`, detail].filter(Boolean).join(': ')),
  );
  return why.join('; ');
}
