/** What other agents call things in their rules, where no tool of ours goes by that name. Pure. */
import type { RuleWords } from './rule.ts';

/** Names in small letters and digits alone. */
export const OTHER_HEADS: RuleWords = new Map([
  ['multiedit', 'edit'],
  ['notebookedit', 'edit'],
  ['notebookread', 'read'],
  ['readmanyfiles', 'read'],
  ['runterminalcmd', 'command'],
]);

/** What is not done here: a rule about it would be kept and never count. */
const NOT_HERE: ReadonlySet<string> = new Set(
  'agent askuserquestion bashoutput codebasesearch enterplanmode exitplanmode googlewebsearch killbash killshell savememory skill slashcommand task todoread todowrite websearch writetodos'.split(
    ' ',
  ),
);

export const isNotHere = (head: string): boolean => NOT_HERE.has(head);
