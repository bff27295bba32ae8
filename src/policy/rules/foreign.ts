/** The names of tools in the rules of other agents, if none of our tools has that name. Pure. */
import type { RuleWords } from './rule.ts';

/** Names reduced to lower-case letters and digits. */
export const OTHER_HEADS: RuleWords = new Map([
  ['multiedit', 'edit'],
  ['notebookedit', 'edit'],
  ['notebookread', 'read'],
  ['readmanyfiles', 'read'],
  ['runterminalcmd', 'command'],
]);

/** Tools that do not exist here: a rule about them would be stored and never apply. */
const NOT_HERE: ReadonlySet<string> = new Set(
  'agent askuserquestion bashoutput codebasesearch enterplanmode exitplanmode googlewebsearch killbash killshell savememory skill slashcommand task todoread todowrite websearch writetodos'.split(
    ' ',
  ),
);

export const isNotHere = (head: string): boolean => NOT_HERE.has(head);
