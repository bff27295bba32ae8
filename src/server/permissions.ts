/** The rules that a person allowed "always here", in every folder, and how they are taken back. */
import type { KeptRule } from '../host/user/kept-rules.ts';
import { folderId } from '../host/user/known-folders.ts';
import { defined } from '../lib/defined.ts';
import { ruleInWords } from '../policy/rules/say.ts';
import type { ForgetBody, Forgotten, Permissions } from './api/schemas.ts';
import type { Holdings } from './holdings.ts';
import { unknownRefusal } from './http/problem.ts';
import { isOver } from './runs/catalogue.ts';

export function permissionsIn({ place }: Holdings): Permissions {
  const kept = place.engine.keptRules();
  const folders = [...new Set(kept.map(({ folder }) => folder))].toSorted();
  return {
    folders: folders.map((path) => ({
      workspace: folderId(path),
      path,
      rules: kept
        .filter(({ folder }) => folder === path)
        .map(({ rule, at, by, door, run }) => ({
          rule,
          allows: ruleInWords(rule),
          at,
          ...defined({ by, door, run }),
        })),
    })),
  };
}

/** Throws if it is not kept. */
export async function forget(
  holdings: Holdings,
  { workspace, rule }: ForgetBody,
): Promise<Forgotten> {
  const { engine } = holdings.place;
  const kept = engine
    .keptRules()
    .find((one) => one.rule === rule && [one.folder, folderId(one.folder)].includes(workspace));
  if (kept === undefined || !engine.forgetRule(kept.folder, rule))
    throw unknownRefusal('rule kept for that folder', 'GET /api/permissions lists them.');
  return { rule, holders: await holdersOf(holdings, kept) };
}

const HAS_BEGUN: ReadonlySet<string> = new Set(['starting', 'running']);

/**
 * Work that may still hold the rule: all work in the folder now, and the work for which the rule was allowed.
 */
async function holdersOf({ catalogue, talks }: Holdings, { folder, run }: KeptRule) {
  const isMeant = (path: string, id: string, isAtWork: boolean) =>
    path === folder && (isAtWork || id === run);
  const runs = (await catalogue.gathered())
    .filter((one) => !isOver(one) && isMeant(one.path, one.id, HAS_BEGUN.has(one.standing)))
    .map(({ id, number }) => ({ kind: 'run' as const, id, number, isGiver: id === run }));
  const open = talks
    .list()
    .filter(({ workspacePath, id, state }) => isMeant(workspacePath, id, state !== 'closed'))
    .map(({ id, number }) => ({ kind: 'session' as const, id, number, isGiver: id === run }));
  return [...runs, ...open];
}
