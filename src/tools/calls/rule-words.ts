/** What the tools are called in rules of permissions, ours and elsewhere. Pure. */
import type { Tool } from '../contract.ts';

/** What a rule about commands is written with. */
export const COMMAND_HEAD = 'run_cmd';

/** What a rule about hosts of the web is written with: the tool that reads pages is called so. */
export const FETCH_HEAD = 'web_fetch';

export type RuleKind = 'command' | 'read' | 'edit';

/** In small letters and digits alone. */
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
