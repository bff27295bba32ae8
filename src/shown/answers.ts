/** Tells people who gave an answer, and through which door. Pure. */
import type { Giver } from '../schema/journal/permissions.ts';

const DOORS: { readonly [door: string]: string } = {
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
export function giverWords({ by, door }: Giver): string {
  const name = KNOWN.has(by) ? [] : [`by ${by ?? ''}`];
  const way = door === undefined ? [] : [DOORS[door] ?? `through ${door}`];
  return [...name, ...way].join(', ');
}
