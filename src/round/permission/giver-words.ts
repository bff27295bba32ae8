/** Tells people who gave an answer, and through which door. Pure. */
import {
  AT_TERMINAL,
  BY_ATTACH,
  BY_COMMAND,
  BY_EDITOR,
  BY_LIBRARY,
  BY_MCP,
  BY_OPTION,
  BY_PAGE,
  type Giver,
} from '../../schema/journal/permissions.ts';

const DOORS: { readonly [door: string]: string } = {
  [AT_TERMINAL.door]: 'at the terminal',
  [BY_COMMAND.door]: 'by a command from elsewhere',
  [BY_ATTACH.door]: 'from another terminal',
  [BY_PAGE.door]: 'through the server',
  [BY_EDITOR.door]: 'in an editor',
  [BY_MCP.door]: 'by a program over MCP',
  [BY_OPTION.door]: 'by an option',
  [BY_LIBRARY.door]: 'by the program that runs it',
};
const KNOWN: ReadonlySet<string | undefined> = new Set([
  ...[AT_TERMINAL.by, BY_OPTION.by, 'rule', 'engine', undefined],
]);

/** The giver, if that is a name, and where the answer came from; '' if nothing is known. */
export function giverWords({ by, door }: Giver): string {
  const name = KNOWN.has(by) ? [] : [`by ${by ?? ''}`];
  const way = door === undefined ? [] : [DOORS[door] ?? `through ${door}`];
  return [...name, ...way].join(', ');
}
