/** What belongs to the user of this machine and goes with every run and session: keys, rules, lessons. */
import { randomBytes } from 'node:crypto';
import { keysIn } from '../llm/secrets/scrub.ts';
import { systemMachine } from '../run/machine.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import { pathsOf } from '../workspace/jail.ts';
import { secretsIn } from './config/accounts.ts';
import type { HostEnvironment } from './host-environment.ts';
import { keptRules } from './kept-rules.ts';
import { learnedModels } from './learned-models.ts';
import { originKeys } from './origin-key.ts';
import { dataFolderOf } from './user-folders.ts';

/** Of the data folder: what files held before, by their workspaces. */
const KEEP_FOLDER = 'before-images';

export function ownThings(place: HostEnvironment) {
  const machine = systemMachine({ env: place.env, nodePath: place.nodePath });
  const { fs, clock } = machine;
  const dataFolder = dataFolderOf(place);
  return {
    ...{ machine, fs, dataFolder },
    lessons: learnedModels({ fs, clock, dataFolder }),
    keys: [...keysIn(place.env), ...(place.accounts ? secretsIn(place.accounts) : [])],
    kept: keptRules({ fs, dataFolder }),
    keepFolder: pathsOf(fs.platform).join(dataFolder, KEEP_FOLDER),
    own: originKeys({ fs, dataFolder, random: randomBytes }),
  };
}

/** The rules of a start with those that the user has kept for the folder. */
export const withKept = (rules: RuleLayers | undefined, kept: readonly string[]): RuleLayers =>
  kept.length === 0
    ? (rules ?? {})
    : { ...rules, user: { ...rules?.user, allow: [...(rules?.user?.allow ?? []), ...kept] } };
