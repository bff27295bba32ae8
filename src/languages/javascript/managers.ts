/** Pure: what pnpm and yarn may be asked to do: scripts as they were when the run began, and installed programs. */
import {
  type BuildsNow,
  type CommandRule,
  changedByRun,
  type ExpandedCommand,
  pathsInside,
  refuse,
  type Unwrap,
} from '../commands/command-rule.ts';
import { hasSettingsChanged, scriptKey, scriptLinesOf } from './scripts.ts';

const QUIET = /^(?:-s|--silent)$/;

/** Their own commands come before scripts and programs of the same name. */
const OWN = new Set(
  (
    'access add adduser approve-builds audit autoclean bin bugs c cache cat-file cat-index check ci clean ' +
    'completion config constraints create dedupe deploy deprecate dist-tag dlx docs doctor env exec explain ' +
    'fetch find-hash generate-lock-entry get global help i ignored-builds import info init install la licenses ' +
    'link list ll ln login logout ls m multi node npm outdated owner pack patch patch-commit patch-remove ping ' +
    'pkg plugin policies prefix profile prune publish rb rebuild recursive remove repo rm root runtime sbom ' +
    'search self-update server set set-script setup show stage star store tag team token un uninstall unlink ' +
    'unplug up update upgrade version versions view whoami why with workspace workspaces'
  ).split(' '),
);

/** Files that say what the manager itself loads or runs. */
const STEERING =
  /(?:^|\/)(?:\.yarnrc(?:\.yml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml|\.pnp\.[\w.]+|\.yarn\/.+)$/;

/** The script or program that a call runs, and its arguments; `null`: another command. */
function askedOf(args: readonly string[]) {
  const [verb = '', ...behind] = args.slice(args.findIndex((arg) => !QUIET.test(arg)));
  const [name = '', ...rest] = verb === 'run' ? behind : [verb, ...behind];
  const isOther = name === '' || name.startsWith('-') || (verb !== 'run' && OWN.has(name));
  return isOther ? null : { name, rest };
}

const isScript = (name: string, { now, taken }: BuildsNow): boolean =>
  [now(), taken].some((texts) => texts?.[scriptKey(name)] !== undefined);

/** For scripts; programs are judged as themselves. */
const managerRule =
  (manager: string): CommandRule =>
  (args, options) => {
    const { builds } = options;
    const asked = askedOf(args);
    if (asked === null || builds.taken?.[scriptKey(asked.name)] === undefined)
      return refuse(
        manager,
        `${manager} is only allowed with a script that was there when the run began, or an installed program.`,
      );
    if (hasSettingsChanged(builds) || builds.hasChanged((path) => STEERING.test(path)))
      return changedByRun(manager, `${manager} would go by settings that this run has changed.`);
    return pathsInside(manager, asked.rest, options);
  };

function managerLinesOf(args: readonly string[], builds: BuildsNow): ExpandedCommand | null {
  const asked = askedOf(args);
  return asked !== null && isScript(asked.name, builds)
    ? scriptLinesOf(['run', asked.name], builds)
    : null;
}

/** A script comes before a program of the same name, so nothing is known without the scripts. */
const managerUnwrap: Unwrap = (args, builds) => {
  const asked = askedOf(args);
  if (asked === null || builds === undefined || isScript(asked.name, builds)) return null;
  return SCRIPTS_ALONE.test(asked.name)
    ? null
    : { words: [asked.name, ...asked.rest], isFromFolder: true };
};

const SCRIPTS_ALONE = /^(?:test|t|start)$/;

const pnpmUnwrap: Unwrap = (args, builds) => {
  const [verb, ...words] = args;
  if (verb !== 'exec') return managerUnwrap(args, builds);
  return words.length === 0 || words[0]?.startsWith('-') ? null : { words, isFromFolder: true };
};

export const managers = {
  rules: { pnpm: managerRule('pnpm'), yarn: managerRule('yarn') },
  lines: { pnpm: managerLinesOf, yarn: managerLinesOf },
  // What yarn executes is a line for a shell.
  unwraps: { pnpm: pnpmUnwrap, yarn: managerUnwrap },
};
