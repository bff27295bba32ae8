/** Pure: what may be done unasked, in a line, and what a run still wants. */
import { typedRule } from '../../policy/words-of.ts';
import type { PermissionsSaid } from '../../schema/events.ts';
import type { RunState } from '../../schema/state.ts';
import { oneLine } from './text.ts';

const MOST_SHOWN = 6;

const ASKS = {
  person: 'all else is asked',
  nobody: 'all else is refused and named at the end',
  yes: 'all else that may be allowed is allowed',
} as const;

export function permissionLines({
  builds,
  allow,
  deny,
  asks,
  isConfined,
}: PermissionsSaid): readonly string[] {
  const allowed = ['edits here', 'looking', 'scripts and tests of this folder', 'git that reads'];
  const given = [...builds, ...allow.map(typedRule)].map(oneLine);
  const more = given.length > MOST_SHOWN ? [`${given.length - MOST_SHOWN} more`] : [];
  const unasked = [...allowed, ...given.slice(0, MOST_SHOWN), ...more].join(', ');
  const denied = deny.length === 0 ? '' : `; never: ${deny.map(typedRule).map(oneLine).join(', ')}`;
  return [
    `Allowed: ${unasked}${denied}; ${ASKS[asks]}.`,
    isConfined
      ? 'Commands are confined to this folder.'
      : 'Commands are not confined: what is run here can do all that you can.',
  ];
}

/** Options that would allow what was noted; `null`: a rule alone does not. */
export function missingRules({
  permissions,
}: Pick<RunState, 'permissions'>): readonly string[] | null {
  const open = permissions?.open ?? [];
  if (open.some(({ rules }) => rules.length === 0)) return null;
  return [...new Set(open.flatMap(({ rules }) => rules))].map(typedRule);
}

/** The calls that wait for a yes of their own. */
export const waitingIds = ({ permissions }: Pick<RunState, 'permissions'>): readonly string[] =>
  (permissions?.open ?? []).map(({ id }) => id);
