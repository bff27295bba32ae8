/** What belongs to this machine's user and is used by every run and session: keys, rules, lessons. */
import { randomBytes } from 'node:crypto';
import { isCache } from '../../languages/languages.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { hidingFiles } from '../../lib/files/hiding-file-system.ts';
import { keysIn } from '../../llm/secrets/scrub.ts';
import { systemMachine } from '../../run/machine.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { RuleLayers } from '../../schema/rule-layers.ts';
import { ownOutputFiles } from '../../workspace/own-output.ts';
import { accountSecrets } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { unsignedText } from '../journals/origin.ts';
import { originKeys } from '../journals/origin-key.ts';
import { foldersIn, livePlaceOf } from '../live/live-place.ts';
import { learnedModels } from '../models/learned-models.ts';
import { type KeptFrom, keptRules } from './kept-rules.ts';
import { programConsents } from './program-consents.ts';
import { dataFolderOf } from './user-folders.ts';

/** Subfolder of the data folder: former contents of files, by workspace. */
const COPIES_FOLDER = 'before-images';

export function userResources(place: HostEnvironment) {
  const system = place.machine ?? systemMachine(place);
  const { fs, clock } = system;
  const dataFolder = dataFolderOf(place);
  const livePlace = livePlaceOf(system, dataFolder, place.env);
  const machine = { ...system, ownFolders: [dataFolder, ...foldersIn(livePlace)] };
  return {
    machine,
    fs,
    dataFolder,
    livePlace,
    outputFiles: place.outputFiles ?? [],
    lessons: learnedModels({ fs, clock, dataFolder }),
    keys: [...keysIn(place.env), ...(place.accounts ? accountSecrets(place.accounts) : [])],
    kept: keptRules({ fs, clock, dataFolder }),
    backupFolder: pathsOf(fs.platform).join(dataFolder, COPIES_FOLDER),
    own: originKeys({ fs, dataFolder, random: randomBytes }),
  };
}

interface Started {
  readonly workspace: string;
  readonly rules?: RuleLayers;
  /** Absolute paths of files such as a log or a recording, which are hidden from the work. */
  readonly hiddenFiles?: readonly string[];
}

/** The options of a start, with everything that belongs to the user. */
export function withOwn<Request extends Started>(
  {
    machine,
    fs,
    dataFolder,
    lessons,
    keys,
    kept,
    backupFolder,
    own,
    outputFiles,
  }: ReturnType<typeof userResources>,
  { hiddenFiles = [], ...request }: Request,
  tell: (event: Extract<RunEvent, { readonly type: 'notice' }>) => void,
) {
  const { workspace } = request;
  const warn = (text: string): void => tell({ type: 'notice', level: 'warning', text });
  const reading = own.findOrMake();
  if (reading.kind === 'unusable') warn(unsignedText(reading.why));
  return {
    lessons,
    keys,
    backupFolder,
    programConsents: programConsents({ fs, dataFolder, keys: own }, workspace, warn),
    saveRules: (rules: readonly string[], from: KeptFrom) => kept.save(workspace, rules, from),
    originKey: reading.kind === 'ok' ? reading.key : null,
    ...request,
    rules: withKept(
      request.rules,
      kept.of(workspace).map(({ rule }) => rule),
    ),
    machine: {
      ...machine,
      fs: hidingFiles(machine.fs, [
        ...hiddenFiles,
        ...ownOutputFiles(fs, workspace, isCache, outputFiles),
      ]),
    },
  };
}

/** The rules of a start, with those that the user keeps for the folder. */
const withKept = (rules: RuleLayers | undefined, kept: readonly string[]): RuleLayers =>
  kept.length === 0
    ? (rules ?? {})
    : { ...rules, user: { ...rules?.user, allow: [...(rules?.user?.allow ?? []), ...kept] } };
