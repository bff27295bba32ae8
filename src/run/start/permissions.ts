/** The rules of a run and the build files that it finds at its start. Both are journalled, so a resume has them. */

import {
  buildVerbs,
  commandDescriptionsFor,
  isBuildFile,
  takeBuilds,
} from '../../languages/commands/allowed-commands.ts';
import {
  buildsBelow,
  buildsIn,
  type FoldersLook,
  takeBelow,
} from '../../languages/commands/builds-below.ts';
import type { BuildsNow } from '../../languages/commands/command-rule.ts';
import { withHostPolicy } from '../../policy/host-policy.ts';
import type { Layers } from '../../policy/layers.ts';
import { type Policy, type PolicyOptions, policyOf } from '../../policy/policy.ts';
import { readLayers } from '../../policy/read-layers.ts';
import { policyOfRepeats } from '../../policy/repeated.ts';
import type { Rule } from '../../policy/rules/rule.ts';
import type { World } from '../../round/files/world.ts';
import { usedFolders } from '../../round/permission/folder-trust.ts';
import type { Approver } from '../../round/permission/person.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { PermissionSummary } from '../../schema/events/events.ts';
import { BY_OPTION, type PermissionState } from '../../schema/journal/permissions.ts';
import { goalOf } from '../../schema/state-parts/goal-of.ts';
import { ruleWords } from '../../tools/registry.ts';
import { KeptCopy } from '../../workspace/kept-copy.ts';
import { leftAnswers } from '../left-answers.ts';
import type { OpenedRun } from '../open.ts';
import type { RunRequest } from '../options.ts';
import { recordSandbox, type SandboxChoice } from '../tools/choose-sandbox.ts';
import { usersFilesOf } from '../tools/users-files.ts';

type OpenedContext = Pick<OpenedRun, 'context'>;

/** Layers are read again when a new rule was granted. */
export function layersOf(
  { context }: OpenedContext,
  {
    rules,
    origin,
    machine,
    startRules,
  }: Pick<RunRequest, 'rules' | 'origin' | 'machine' | 'startRules'>,
): () => Layers {
  const reading = { words: ruleWords(), platform: machine.fs.platform };
  let read: { readonly from: PermissionState | undefined; readonly layers: Layers } | null = null;
  return () => {
    const { permissions, run } = context.state;
    if (read?.from === permissions && read !== null) return read.layers;
    const own = (permissions?.rules ?? []).filter((one) => origin.isOwnGrant(run, one));
    const textsOf = (allowed: boolean) =>
      own.flatMap(({ rule, allowed: is }) => (rule !== undefined && is === allowed ? [rule] : []));
    const { user } = rules;
    const layers = readLayers(
      {
        ...rules,
        user: {
          ask: user?.ask ?? [],
          allow: [...(user?.allow ?? []), ...startRules.allow.map(textOf), ...textsOf(true)],
          deny: [...(user?.deny ?? []), ...startRules.deny.map(textOf), ...textsOf(false)],
        },
      },
      reading,
    );
    read = { from: permissions, layers };
    return layers;
  };
}

interface More extends Pick<PolicyOptions, 'isUsers' | 'lender' | 'isInCopy'> {
  /** True for what is allowed without any rule that allows, and without the embedding program. */
  readonly isUsual?: true;
}

/** The policies for the workspace and for the scratch copy: the same rules in two folders. */
function policiesOf(
  opened: OpenedContext,
  request: Pick<
    RunRequest,
    'rules' | 'origin' | 'machine' | 'startRules' | 'ask' | 'isPersonThere' | 'yes' | 'policy'
  >,
  {
    programHints,
    world,
    isSandboxed = false,
    webOff = null,
  }: {
    readonly programHints: Pick<ReadonlyMap<string, string>, 'get'>;
    readonly world: World;
    readonly isSandboxed?: boolean;
    readonly webOff?: string | null;
  },
): (folder: string, more: More) => Policy {
  const { fs, home = null } = request.machine;
  const layers = layersOf(opened, request);
  const builds = buildsOf(opened, world);
  const said = commandDescriptionsFor(goalOf(opened.context.state), (count) => world.files(count));
  return (workspace, { isUsual = false, isInCopy = false, ...more }) =>
    withHostPolicy(
      policyOf({
        fs,
        workspace,
        home,
        builds,
        isSandboxed,
        ...more,
        webOff,
        isInCopy: isInCopy || opened.context.state.child !== undefined,
        isProxied: (url) => request.machine.web?.proxyFor(url) != null,
        buildsIn: (folder) => buildsIn(folder, builds, foldersIn(world), takeBuilds),
        get canAsk() {
          return request.yes || (request.ask !== null && request.isPersonThere());
        },
        commandDescriptions: said,
        programHints,
        reading: { words: ruleWords(), platform: fs.platform },
        get layers() {
          const { project, user } = layers();
          return { project, user: isUsual ? { ...user, allow: [] } : user };
        },
      }),
      isUsual ? null : request.policy,
    );
}

/** What a run may do in the workspace and in the scratch copy, and who answers its questions. */
export function permissionsOf(
  opened: OpenedRun,
  request: RunRequest,
  deps: Parameters<typeof policiesOf>[2],
): Pick<RunPorts, 'policy' | 'scratch' | 'asking'> {
  const policyFor = policiesOf(opened, request, deps);
  const { scratch } = opened.layout;
  const { workspace, workspace: lender } = opened;
  const { fs, clock } = request.machine;
  const decided = policyFor(scratch, { lender });
  return {
    policy: policyFor(workspace, { isUsers: usersFilesOf(opened, fs) }),
    scratch: {
      folder: scratch,
      kept: new KeptCopy({ fs, workspace, now: () => clock.now() }),
      policy: decided,
      repeats: policyOfRepeats({
        policy: decided,
        withoutAllowRules: policyFor(scratch, { lender, isUsual: true }),
        ofChildCopy: policyFor(scratch, { lender, isInCopy: true }),
        isSandboxedYes: request.yes && deps.isSandboxed === true,
      }),
    },
    asking: askingOf(opened, request),
  };
}

function askingOf({ context, layout }: OpenedRun, request: RunRequest): Approver {
  const { ask, askPlan, agree, isPersonThere, yes, saveRules, origin, machine } = request;
  const { run } = context.state;
  return {
    get person() {
      return isPersonThere() ? ask : null;
    },
    get plan() {
      return askPlan?.isThere() ? askPlan.ask : null;
    },
    isPlanAgreed: agree,
    isYes: yes,
    left: request.left ?? leftAnswers({ fs: machine.fs, folder: layout.answers, run, origin }),
    isOwn: (answer) => origin.isOwnGrant(run, answer),
    saveRules,
  };
}

const textOf = ({ text }: Rule): string => text;

const foldersIn = ({ readText, names, foldersHolding }: World): FoldersLook => ({
  readText,
  names,
  folders: () => foldersHolding(isBuildFile),
});

/** The build files as they were when the run opened, and as they are now. */
const buildsOf = ({ context }: OpenedContext, world: World): BuildsNow => ({
  get taken() {
    return context.state.permissions?.taken ?? null;
  },
  now: () => takeBuilds(world),
  below: () => buildsBelow(context.state.permissions?.taken ?? null, foldersIn(world), takeBuilds),
  hasChanged: (is) => {
    const { files, commandChanges } = context.state;
    const written = Object.entries(files).filter(([, file]) => file.written);
    return [...written.map(([path]) => path), ...Object.keys(commandChanges.files)].some(is);
  },
});

/** Rules given for this start apply to the whole run, and answer the open questions that they cover. */
export function applyPermissions(
  run: RunPorts,
  { context }: OpenedRun,
  request: RunRequest,
  sandbox: SandboxChoice,
): void {
  const { startRules } = request;
  recordSandbox(run.context, sandbox, run.emit);
  recordBuildsOnce(run);
  const known = new Set(
    (context.state.permissions?.rules ?? []).map(({ rule, allowed }) => `${allowed} ${rule}`),
  );
  for (const [allowed, rules] of [
    [true, startRules.allow],
    [false, startRules.deny],
  ] as const) {
    for (const { text } of rules) {
      if (known.has(`${allowed} ${text}`)) continue;
      context.record({
        type: 'approval_given',
        id: 'option',
        allowed,
        rule: text,
        scope: 'run',
        why: 'given at the start',
        ...BY_OPTION,
      });
    }
  }
  answerCovered(run);
}

/** Answers open questions that the rules now cover. */
export function answerCovered({ context, policy }: Pick<RunPorts, 'context' | 'policy'>): void {
  for (const request of context.state.permissions?.open ?? []) {
    const why = policy.rulesCover(request.rules);
    if (why !== null)
      context.record({ type: 'approval_given', ...why, id: request.id, scope: 'call', by: 'rule' });
  }
}

/** Recorded only before the run acts, so that its own files do not count as existing ones. */
export function recordBuildsOnce({ context, world }: Pick<RunPorts, 'context' | 'world'>): void {
  const { permissions, counters, adopted } = context.state;
  if (permissions?.taken != null || (counters.actions > 0 && adopted === undefined)) return;
  const texts = { ...takeBuilds(world), ...takeBelow(foldersIn(world), takeBuilds) };
  if (Object.keys(texts).length > 0) context.record({ type: 'builds_taken', texts });
}

const SHELL_ASKS = 'A shell is on: each of its lines is asked about, and does all that you can do.';
const SHELL_FREE = 'A shell is on, and nothing is asked: its lines do all that you can do.';

/** What may be done without asking. @param isConfined whether a sandbox holds commands to the workspace */
export function permissionSummary(
  { context, asking }: Pick<RunPorts, 'context' | 'asking'>,
  { startRules }: Pick<RunRequest, 'startRules'>,
  isConfined: boolean,
): PermissionSummary {
  const { taken = null, rules = [] } = context.state.permissions ?? {};
  const textsOf = (allowed: boolean): readonly string[] => {
    const kept = rules.flatMap((one) => (one.allowed === allowed ? (one.rule ?? []) : []));
    return [...new Set([...kept, ...(allowed ? startRules.allow : startRules.deny).map(textOf)])];
  };
  return {
    builds: buildVerbs(taken ?? {}),
    allow: textsOf(true),
    deny: textsOf(false),
    asks: asking.isYes ? 'yes' : asking.person === null ? 'nobody' : 'person',
    isConfined,
  };
}

/** Reports the shell if the model is told of one. */
export function reportShell(
  run: Pick<RunPorts, 'tools' | 'definitions' | 'emit'>,
  { yes }: Pick<RunRequest, 'yes'>,
): void {
  // Describing all tools takes time, and few runs have a shell.
  const asking = run.tools.filter(({ alwaysAsks }) => alwaysAsks);
  if (
    asking.length > 0 &&
    run.definitions.some(({ name }) => asking.some((one) => one.name === name))
  )
    run.emit({ type: 'notice', level: 'warning', text: yes ? SHELL_FREE : SHELL_ASKS });
}

/** Reported after the model's own line, which comes first. */
export function reportPermissions(
  run: RunPorts,
  request: RunRequest,
  { found }: SandboxChoice,
): void {
  reportShell(run, request);
  const inUse = usedFolders(run.folders);
  if (inUse !== null) run.emit({ type: 'notice', level: 'info', text: inUse });
  run.emit({ type: 'permissions', ...permissionSummary(run, request, found?.kind === 'holds') });
}
