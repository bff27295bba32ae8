/** Pure: tells a person where the figures and names of an answer were found. */
import type { AnswerSources } from '../../../schema/evidence.ts';
import type { Row } from '../text/rows.ts';
import { oneLine } from '../text/text.ts';

/** Reasons for caution, in sentences. */
export function cautionOf({ unread, nothingRead, unseen }: AnswerSources): string {
  const names = unread.map(oneLine).join(', ');
  return [
    unseen === true ? 'No file here was seen to be changed.' : 'No file here was changed.',
    ...(nothingRead === true ? ['Nothing was read or printed in this run.'] : []),
    ...(names === '' ? [] : [`Found nowhere in what was read: ${names}.`]),
  ].join(' ');
}

/** One line per finding, with the text at that place. */
export const placeRows = ({ found }: AnswerSources): readonly Row[] =>
  found.map(({ what, where, line }) => ({
    name: oneLine(what),
    words: `${oneLine(where)}${line === undefined || line === what ? '' : `  ${oneLine(line)}`}`,
  }));
