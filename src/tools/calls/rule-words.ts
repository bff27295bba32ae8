/** The names of tools in permission rules, ours and elsewhere. Pure. */
import type { Tool } from '../contract.ts';

/** The head of a rule about commands. */
export const COMMAND_HEAD = 'run_cmd';

/** The head of a rule about web hosts, which is the name of the tool that reads pages. */
export const FETCH_HEAD = 'web_fetch';

export type RuleKind = 'command' | 'read' | 'edit';

/** Reduced to lower-case letters and digits. */
export const ruleWordsOf = (tools: readonly Tool[]): ReadonlyMap<string, RuleKind> =>
  new Map(
    tools.flatMap(({ name, aliases, touches }) => {
      const kind = KINDS[touches];
      const plain = name.replace(/[^a-z0-9]/g, '');
      return kind === undefined ? [] : [plain, ...(aliases?.names ?? [])].map((one) => [one, kind]);
    }),
  );

const KINDS: { readonly [touches in Tool['touches']]?: RuleKind } = {
  reads: 'read',
  files: 'edit',
  process: 'command',
};
