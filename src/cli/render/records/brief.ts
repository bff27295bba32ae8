import { type Brief, exampleText } from '../../../schema/model/brief.ts';

/** How the goal was read, in one line. */
export function briefText({ kind, examples, keep, removes, tests }: Brief): string {
  const paths = (files: Brief['keep']): string => files.map(({ path }) => path).join(', ');
  return [
    `Reading: ${kind ?? 'work'}`,
    ...(keep.length > 0 ? [`must stay: ${paths(keep)}`] : []),
    ...(removes.length > 0 ? [`to be removed, after a question: ${paths(removes)}`] : []),
    ...(tests ? ['tests are asked for'] : []),
    ...examples.map((one) => `example: ${exampleText(one)}`),
  ].join('; ');
}

/** A goal that only asks for work needs no line. */
export const isWorthShowing = ({ kind, examples, keep, removes, tests }: Brief): boolean =>
  kind === 'question' ||
  tests !== undefined ||
  [examples, keep, removes].some((all) => all.length > 0);
