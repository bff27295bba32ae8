/** The options and ports of a run, with their defaults. */
import type { GivenPlan } from '../context-manager/open-or-create.ts';
import { type Origin, originOf } from '../context-manager/origin.ts';
import type { Leases } from '../journal/lock/lease.ts';
import { failedWarning, notify } from '../lib/callback.ts';
import { defined } from '../lib/defined.ts';
import type { Candidate } from '../llm/failover/candidate.ts';
import { type ModelRoles, rolesAmong } from '../llm/failover/roles.ts';
import type { SharedCooldowns } from '../llm/failover/shared.ts';
import { type Lessons, NO_LESSONS } from '../llm/models/lessons.ts';
import type { Provider } from '../llm/provider.ts';
import { type Redactor, redactor } from '../llm/secrets/redactor.ts';
import { secretsOfServers } from '../llm/secrets/server-secrets.ts';
import type { Deadlines } from '../llm/turn/deadlines.ts';
import {
  type CommonOptionValues,
  type ResolvedRunOptions,
  type RunOptionValues,
  settledFor,
} from '../options/option-values.ts';
import { checkOptions } from '../options/read.ts';
import { type HostPolicy, reportingPolicy } from '../policy/host-policy.ts';
import { readLayers } from '../policy/read-layers.ts';
import { parseRules } from '../policy/rules/parse.ts';
import type { Rule } from '../policy/rules/rule.ts';
import type { Ask, Asker } from '../round/permission/answer.ts';
import type { CanUseTool } from '../round/permission/can-use-tool.ts';
import { NO_CONSENTS, type ProgramConsents } from '../round/permission/folder-trust.ts';
import type { Approver, AskPerson, LeftAnswers } from '../round/permission/person.ts';
import type { AskPlan, PlanAsker } from '../round/plan/plan-review.ts';
import { safeAskPlan } from '../round/plan/safe-ask-plan.ts';
import type { Emit, RunEvent } from '../schema/events/events.ts';
import type { Inbox } from '../schema/inbox.ts';
import { type Limits, limitsIn } from '../schema/journal/limits.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { ServerEntries } from '../schema/servers.ts';
import type { PlainTool, Toolset } from '../tools/own/plain-tool.ts';
import { ruleWords } from '../tools/registry.ts';
import { askingOf } from './answer-source.ts';
import { type Machine, thisMachine } from './machine.ts';
import { redactedEmit } from './redacted-emit.ts';
import { candidatesOf } from './start/candidates-of.ts';
import {
  checkedFolder,
  checkedKey,
  checkedPlace,
  checkedRunId,
  checkedTemplate,
  checkGoal,
  type Parent,
} from './start/checked-options.ts';
import { checkProof, ruleOfProof } from './start/given-proof.ts';

/**
 * What both a run and a conversation receive besides their options: who answers questions, and the world around
 * them.
 */
export interface CommonPorts {
  /** A name for the process that works on the run, up to 200 characters. */
  readonly worker?: string;
  /** An existing folder. State is kept in its `.agent_context`. */
  readonly workspace: string;
  readonly provider: Provider;
  readonly model: string;
  /** The name of the provider's credentials. It is journalled, so it is never a key. */
  readonly profile?: string;
  /** The provider's address. It is journalled for a resume, so it contains no credentials. */
  readonly baseUrl?: string;
  /** Candidates to ask when this model fails, in order. Other credentials for the same model count as a candidate. */
  readonly fallbacks?: readonly Candidate[];
  /**
   * Secrets in use, in addition to those that providers report. Those of 12 or more characters are removed from
   * everything that is kept, shown or sent.
   */
  readonly keys?: readonly string[];
  /** MCP servers, by the names that rules and tools use. */
  readonly servers?: ServerEntries;
  /** The rules of project and user, as in their files. */
  readonly rules?: RuleLayers;
  /**
   * Asks a person when no rule decides. Left out: nobody can be asked, and the call is refused and noted. Only
   * an exact yes counts as one. An object's `isThere` says whether someone can be asked now.
   */
  readonly ask?: Ask | Asker;
  /**
   * The same with the signature of the Claude Agent SDK. It is called when the rules ask, may take as long as
   * it likes, and may change the tool's input. If it throws, the answer is no. Not together with `ask`.
   */
  readonly canUseTool?: CanUseTool;
  /** Decides allow, ask or deny in addition to the rules. It cannot lift a deny, and must answer synchronously. */
  readonly policy?: HostPolicy;
  /** The caller's own tools and toolsets. Guided runs do not get them. */
  readonly tools?: readonly (PlainTool | Toolset)[];
  /** Where consent to run programs of a folder is kept for later runs; left out: nowhere. */
  readonly programConsents?: ProgramConsents;
  /** Receives the rules that a person wants to keep for this folder; they come back in `rules`. */
  readonly saveRules?: Approver['saveRules'];
  /** When aborted, the current write is finished and the run pauses. */
  readonly signal?: AbortSignal;
  /** Disk, time and processes; left out: those of this process. */
  readonly machine?: Machine;
  /** Where knowledge about a model is kept for later runs; left out: nowhere. */
  readonly lessons?: Lessons;
  /**
   * A secret of 32 bytes that only this user has. It signs what lets a run continue; a run without a valid
   * signature is refused with E_FOREIGN. `null`: there is no key, so nothing found in the folder is trusted.
   * Left out: nothing is signed or checked, and the caller vouches for the folder.
   */
  readonly originKey?: Uint8Array | null;
  /**
   * Absolute folder for a second copy of earlier file contents, which outlives `.agent_context`. It is the same
   * for all workspaces. Left out: nothing is written outside the workspace.
   */
  readonly backupFolder?: string;
}

function planAsker(
  given: AskPlan | PlanAsker | undefined,
  warn: (text: string) => void,
): PlanAsker | null {
  if (!given) return null;
  const asker = typeof given === 'function' ? { ask: given, isThere: () => true } : given;
  const ask = safeAskPlan((question, signal) => asker.ask(question, signal), warn);
  return { ask, isThere: () => asker.isThere() };
}

/** What only a run receives. */
export interface RunOnlyPorts extends CommonPorts {
  /** `null` continues the workspace's current run, or the run that `run` names. */
  readonly goal: string | null;
  /**
   * A run id (`[\w-]{1,64}`): which run to continue or, with a goal, the id of that run however often it is
   * started.
   */
  readonly run?: string;
  /** The parent run and the seq of its record that began this run. A resumed run keeps its own parent. */
  readonly parent?: Parent;
  /** Called with the plan before any work, if `agreePlan` is set; left out: the run waits for approval. */
  readonly askPlan?: AskPlan | PlanAsker;
  /** A plan to begin with, in the form of an edited plan; the model is not asked for one. */
  readonly template?: GivenPlan;
  /** Receives every event while the run works. */
  readonly emit?: Emit;
  /** Messages to the running run. They are passed to the model and change nothing by themselves. */
  readonly inbox?: Inbox;
  /**
   * When aborted, the final trials in a copy are skipped, and the run ends unverified and lists what was not
   * tried. Resuming it runs those trials.
   */
  readonly skipTrials?: AbortSignal;
  /**
   * For a fleet: the run is held by a lease, which is renewed while the run is open. Another worker may take
   * the run over once the lease has expired.
   */
  readonly leases?: Leases;
  /** For a fleet: rate-limit pauses of profiles, shared by all workers. */
  readonly cooldowns?: SharedCooldowns;
  /**
   * For a fleet: an action that reaches beyond the workspace's files begins once this has resolved; its
   * intent is in the journal by then. If this rejects, the action does not begin.
   */
  readonly beforeEffect?: () => Promise<void>;
}

/** Every option is a row of the table of options. */
export interface RunGoalOptions extends RunOptionValues, RunOnlyPorts {}

/** What runs and conversations share; `RunGoalOptions` and `SessionOptions` add more. */
export interface CommonOptions extends CommonOptionValues, CommonPorts {}

/** The checked form: options with their defaults, and every port present. */
export interface RunRequest extends Omit<ResolvedRunOptions, 'models'> {
  /** Which model plans and which works; `null`: one model does both. */
  readonly roles: ModelRoles | null;
  readonly goal: string | null;
  readonly parent?: Parent;
  readonly worker?: string;
  readonly leases?: Leases | undefined;
  readonly cooldowns?: SharedCooldowns | undefined;
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  readonly run?: string | undefined;
  readonly workspace: string;
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly limits: Limits;
  readonly servers: ServerEntries;
  readonly rules: RuleLayers;
  readonly ask: AskPerson | null;
  readonly askPlan: PlanAsker | null;
  readonly template: GivenPlan | null;
  /** With `ask`: whether a question would reach someone now. */
  isPersonThere(): boolean;
  readonly policy: HostPolicy | null;
  readonly tools: readonly (PlainTool | Toolset)[];
  readonly programConsents: ProgramConsents;
  readonly saveRules: Approver['saveRules'];
  /** Where answers for the run are left; left out: in its own folder. */
  readonly left?: LeftAnswers;
  /** The rules of this start; the run remembers them. */
  readonly startRules: { readonly allow: readonly Rule[]; readonly deny: readonly Rule[] };
  /** Removes secrets, even when they arrive in pieces. */
  readonly emit: Emit;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly inbox: Inbox | null;
  /** When aborted, the final trials are skipped. */
  readonly skipTrials: AbortSignal;
  readonly machine: Machine;
  readonly deadlines: Partial<Deadlines>;
  readonly lessons: Lessons;
  readonly origin: Origin;
  /** `null`: nowhere. */
  readonly backupFolder: string | null;
}

/** Throws E_USAGE for invalid options before anything is opened. */
export function readOptions(options: RunGoalOptions, call: 'run' | 'chat' = 'run'): RunRequest {
  const { goal, workspace } = options;
  checkGoal(goal);
  checkOptions(options);
  const machine = options.machine ?? thisMachine();
  const candidates = candidatesOf(options);
  const ofProviders = () => candidates.flatMap(({ provider }) => provider.keys?.() ?? []);
  const keys = redactor(
    [...(options.keys ?? []), ...ofProviders(), ...secretsOfServers(options.servers ?? {})],
    // A fallback provider may obtain its key only when it is first asked.
    candidates.length > 1 ? ofProviders : undefined,
  );
  checkProof(options, keys);
  const emit = redactedEmit<RunEvent>(options.emit ?? (() => {}), keys);
  const warn = (text: string): void => emit({ type: 'notice', level: 'warning', text });
  const { models = {}, ...settled } = settledFor(call, options);
  return {
    ...settled,
    goal: goal === null ? null : keys.text(goal),
    ...defined(checkedPlace(options)),
    run: checkedRunId(options),
    leases: options.leases,
    cooldowns: options.cooldowns,
    beforeEffect: options.beforeEffect,
    workspace,
    candidates,
    roles: rolesAmong(models, candidates),
    redactor: keys,
    limits: limitsIn(settled),
    servers: options.servers ?? {},
    ...rulesOf(options, machine.fs.platform),
    ...askingOf(options, warn),
    askPlan: planAsker(options.askPlan, warn),
    policy: policyIn(options, (why) => emit(failedWarning('policy', why))),
    template: checkedTemplate(options.template, keys),
    tools: options.tools ?? [],
    programConsents: options.programConsents ?? NO_CONSENTS,
    saveRules: notify(options.saveRules, (why) => warn(`The rules could not be kept: ${why}`)),
    emit,
    inbox: options.inbox ?? null,
    machine,
    skipTrials: options.skipTrials ?? new AbortController().signal,
    deadlines: settled.deadlines ?? {},
    lessons: options.lessons ?? NO_LESSONS,
    origin: originOf(checkedKey(options.originKey)),
    backupFolder: checkedFolder(options.backupFolder, machine.fs.platform),
  };
}

const policyIn = (
  { policy }: Pick<CommonPorts, 'policy'>,
  failed: (why: string) => void,
): HostPolicy | null => (policy === undefined ? null : reportingPolicy(policy, failed));

/** Throws E_USAGE for a text that is not a rule, before anything is opened. */
function rulesOf(
  { allow = [], deny = [], rules = {}, trustPrograms = false, proof }: RunGoalOptions,
  platform: NodeJS.Platform,
): Pick<RunRequest, 'rules' | 'startRules'> {
  const reading = { words: ruleWords(), platform };
  readLayers(rules, reading);
  const lets = [
    ...allow,
    ...(trustPrograms ? ['programs(*)'] : []),
    ...(proof === undefined ? [] : [ruleOfProof(proof, platform)]),
  ];
  return {
    rules,
    startRules: { allow: parseRules(lets, reading), deny: parseRules(deny, reading) },
  };
}
