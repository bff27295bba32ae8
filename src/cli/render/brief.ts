import type { Brief, BriefExample } from '../../schema/brief.ts';

/** How the goal was read, in one line. */
export function briefText({ kind, examples, keep, removes, tests }: Brief): string {
  const paths = (files: Brief['keep']): string => files.map(({ path }) => path).join(', ');
  return [
    `Reading: ${kind ?? 'work'}`,
    ...(keep.length > 0 ? [`must stay: ${paths(keep)}`] : []),
    ...(removes.length > 0 ? [`may go: ${paths(removes)}`] : []),
    ...(tests ? ['tests are asked for'] : []),
    ...examples.map((one) => `example: ${exampleText(one)}`),
  ].join('; ');
}

/** That there is work to be done goes without saying. */
export const saysSomething = ({ kind, examples, keep, removes, tests }: Brief): boolean =>
  kind === 'question' ||
  tests !== undefined ||
  [examples, keep, removes].some((all) => all.length > 0);

/** `add(2, 3) gives 5`; of a program a text stands in marks. */
function exampleText({ input, gives }: BriefExample): string {
  const result = gives === undefined ? '' : ` gives ${JSON.stringify(gives)}`;
  switch (input.how) {
    case 'call':
      return `${input.name}(${input.args.map((arg) => JSON.stringify(arg)).join(', ')})${result}`;
    case 'argv':
      return `${input.argv.join(' ')}${result}`;
    case 'stdin':
      return `${JSON.stringify(input.text)} typed${result}`;
    default:
      return input satisfies never;
  }
}
