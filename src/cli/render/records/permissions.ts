/** Pure: what may be done without asking, in one line, and which permissions a run still needs. */
import { typedRule } from '../../../policy/words-of.ts';
import type { PermissionSummary } from '../../../schema/events/events.ts';
import type { RunState } from '../../../schema/state.ts';
import { neededPermissions } from '../../../steps/gate/not-done.ts';
import { oneLine, plural } from '../text/text.ts';

const ALWAYS = ['edits here', 'looking', 'scripts and tests of this folder', 'git that reads'];

const ELSE = { person: 'asked', nobody: 'refused', yes: 'allowed' } as const;

const ASKS = {
  person: 'everything else asks',
  nobody: 'everything else is refused and named at the end',
  yes: 'everything else that may be allowed is allowed',
} as const;

/** Fits a screen of 80 columns, however many rules there are. */
export function permissionLine({
  builds,
  allow,
  deny,
  asks,
  isConfined,
}: PermissionSummary): string {
  const rules = allow.length + deny.length;
  const kinds = [
    ...['edits', 'looks', 'tests'],
    ...(builds.length > 0 ? ['scripts'] : []),
    ...(rules > 0 ? [plural(rules, 'rule')] : []),
  ];
  const confined = isConfined ? 'in a sandbox' : 'no sandbox';
  return `Allowed: ${kinds.join(', ')}; else ${ELSE[asks]}; ${confined}.`;
}

/** The same in full. */
export function permissionLines({
  builds,
  allow,
  deny,
  asks,
  isConfined,
}: PermissionSummary): readonly string[] {
  const extra = [...builds, ...allow.map(typedRule)].map(oneLine);
  const denied = deny.length === 0 ? '' : `; never: ${deny.map(typedRule).map(oneLine).join(', ')}`;
  return [
    `Allowed: ${[...ALWAYS, ...extra].join(', ')}${denied}; ${ASKS[asks]}.`,
    isConfined
      ? 'Commands are confined to this folder.'
      : 'Commands are not confined: they can do everything you can.',
  ];
}

/** Options that would allow the noted calls that are still needed; `null`: rules alone would not. */
export function missingRules(state: RunState): readonly string[] | null {
  const all = state.permissions?.open ?? [];
  const needed = new Set(neededPermissions(state).map(({ id }) => id));
  const { pending } = state;
  // A pause at a call names all open permissions, so that one command gives them.
  const isAtCall = pending?.calls[pending.next] !== undefined;
  const still = all.filter(({ id, isNoted }) => isAtCall || !isNoted || needed.has(id));
  const open = still.length > 0 ? still : all;
  if (open.some(({ rules }) => rules.length === 0)) return null;
  return [...new Set(open.flatMap(({ rules }) => rules))].map(typedRule);
}

export const waitingIds = ({ permissions }: Pick<RunState, 'permissions'>): readonly string[] =>
  (permissions?.open ?? []).map(({ id }) => id);
