/** Tells people who gave an answer, and through which door. Pure. */
import type { Giver } from '../schema/journal/permissions.ts';
import type { RecordOf } from '../schema/records.ts';

const PLACES_OF_ANSWERS: { readonly [door: string]: string } = {
  terminal: 'at the terminal',
  command: 'by a command from elsewhere',
  attach: 'from another terminal',
  page: 'through the server',
  editor: 'in an editor',
  mcp: 'by a program over MCP',
  option: 'by an option',
  library: 'by the program that runs it',
};
const KNOWN: ReadonlySet<string | undefined> = new Set([
  ...['person', 'caller', 'rule', 'engine', undefined],
]);

/** The giver, if that is a name, and where the answer came from; '' if nothing is known. */
export function whoAnswered({ by, door }: Giver): string {
  const name = KNOWN.has(by) ? [] : [`by ${by ?? ''}`];
  const way = door === undefined ? [] : [PLACES_OF_ANSWERS[door] ?? `through ${door}`];
  return [...name, ...way].join(', ');
}

/** `yes, at the terminal`. */
export const yesOrNo = ({ allowed, ...giver }: Giver & { readonly allowed: boolean }): string =>
  [allowed ? 'yes' : 'no', whoAnswered(giver)].filter(Boolean).join(', ');

const SCOPES = { call: 'once', run: 'for this run', here: 'always in this folder' } as const;
const NAMELESS: { readonly [by: string]: string } = {
  rule: 'by a rule',
  engine: 'by Tardigrade itself',
};

/** `allowed for this run at the terminal: git commit *`, `refused in an editor (not now)`. */
export function answerWords(answer: RecordOf<'approval_given'>, rule = answer.rule): string {
  const { allowed, scope = 'call', by = '', why } = answer;
  const from = whoAnswered(answer) || (NAMELESS[by] ?? '');
  const reach = allowed || scope !== 'call' ? SCOPES[scope] : '';
  const head = [allowed ? 'allowed' : 'refused', reach, from].filter(Boolean).join(' ');
  // A rule's reason names the rule, and the reason of a person's yes is a default text of the program.
  const isSaid = why === '' || (allowed && by === 'person');
  if (rule !== undefined && scope !== 'call') return `${head}: ${rule}`;
  return isSaid ? head : `${head} (${why})`;
}
