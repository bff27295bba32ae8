/** What a run may be told, and what holds where it is told nothing. */
import type { GivenPlan } from '../context-manager/open-or-create.ts';
import { type Origin, originOf } from '../context-manager/origin.ts';
import type { Leases } from '../journal/lock/lease.ts';
import { notify } from '../lib/callback.ts';
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
import type { HostPolicy } from '../policy/host-policy.ts';
import { readLayers } from '../policy/read-layers.ts';
import { parseRules } from '../policy/rules/parse.ts';
import type { Rule } from '../policy/rules/rule.ts';
import type { Ask, Asker } from '../round/permission/answer.ts';
import type { CanUseTool } from '../round/permission/can-use-tool.ts';
import { NO_CONSENTS, type ProgramConsents } from '../round/permission/folder-trust.ts';
import type { AskPerson, LeftAnswers } from '../round/permission/person.ts';
import type { AskPlan } from '../round/plan/ask-plan.ts';
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

/** What a run and a conversation are given beside their options: who is asked, and the world around them. */
export interface CommonPorts {
  /** What the caller calls the process that works on it, up to 200 characters. */
  readonly worker?: string;
  /** An existing folder; state is kept in `.agent_context` in it. */
  readonly workspace: string;
  readonly provider: Provider;
  readonly model: string;
  /** Names the credentials the provider was made with; it is journalled, so never a key. */
  readonly profile?: string;
  /** Where the provider was told to ask; it is journalled for a resume, so without credentials. */
  readonly baseUrl?: string;
  /** Who is asked when this model fails, in order; other credentials for it are one, too. */
  readonly fallbacks?: readonly Candidate[];
  /**
   * Keys in use, beside those that the providers tell: of 12 characters and more, they are taken out of
   * all that is kept, shown and sent.
   */
  readonly keys?: readonly string[];
  /** Servers of tools (MCP), by the names that rules and tools give them. */
  readonly servers?: ServerEntries;
  /** Rules of a project and a user, as their files have them. */
  readonly rules?: RuleLayers;
  /**
   * Asked what the rules do not say; left out: nobody can be, and what would be asked is refused and noted.
   * Only what says yes exactly is a yes. An object says with `isThere` whether somebody can be asked now.
   */
  readonly ask?: Ask | Asker;
  /**
   * The same in the signature of the Claude Agent SDK: called for what the rules ask, it may wait for ever and
   * change what the tool gets; what it throws is a no. Not together with `ask`.
   */
  readonly canUseTool?: CanUseTool;
  /** Says allow, ask or deny beside the rules; it cannot lift a deny, and must answer at once. */
  readonly policy?: HostPolicy;
  /** Tools of the caller's own, and sources of such. A model that is led has none of them. */
  readonly tools?: readonly (PlainTool | Toolset)[];
  /** Where a yes to the programs of a folder is kept for further runs; left out: nowhere. */
  readonly programConsents?: ProgramConsents;
  /** Told the rules that a person wants kept for this folder; they come back in `rules`. */
  readonly saveRules?: (rules: readonly string[]) => void;
  /** Aborted: the write in progress is finished, then the run pauses. */
  readonly signal?: AbortSignal;
  /** Disk, time and processes; left out: this process's own. */
  readonly machine?: Machine;
  /** Where what was learnt of a model is kept for the next run; left out: nowhere. */
  readonly lessons?: Lessons;
  /**
   * 32 bytes that only this user has. What lets a run go on is signed with them, and a run that is not is
   * refused with E_FOREIGN. `null`: there are none, so nothing that was there is believed. Left out: nothing
   * is signed and nothing checked; the caller answers for what lies in the folder.
   */
  readonly originKey?: Uint8Array | null;
  /**
   * Absolute: where what files held before is kept a second time, so that it outlives `.agent_context`; the
   * same for all folders. Left out: nothing is written outside of the workspace.
   */
  readonly backupFolder?: string;
}

/** What a run alone is given. */
export interface RunPorts extends CommonPorts {
  /** `null` goes on with the current run of the workspace, or with `run`. */
  readonly goal: string | null;
  /** The id (`[\w-]{1,64}`): of the run to go on with; with a goal, of the one run however often it is begun. */
  readonly run?: string;
  /** The run that begins this one, and the seq of its record that says so; a run that goes on keeps its own. */
  readonly parent?: Parent;
  /** Shown the plan before any work, where `agreePlan` is set; left out: the run waits there for a yes. */
  readonly askPlan?: AskPlan;
  /** A plan that a run begins with, in the form of an edited one: the model is asked for none. */
  readonly template?: GivenPlan;
  /** Told of everything while the run works. */
  readonly emit?: Emit;
  /** What somebody says to the run while it works; it is told to the model, and changes nothing by itself. */
  readonly inbox?: Inbox;
  /**
   * Aborted: the trials in a copy at the end are skipped, and the run ends unverified with what was not tried.
   * Going on with it tries that.
   */
  readonly skipTrials?: AbortSignal;
  /** In a fleet: the run is held by a lease, which is renewed while it is open, and which others may outlive. */
  readonly leases?: Leases;
  /** In a fleet: for how long profiles are to be left alone, which all of its workers share. */
  readonly cooldowns?: SharedCooldowns;
}

/** Each option is a row of the table of options. */
export interface RunGoalOptions extends RunOptionValues, RunPorts {}

/** What both have; `RunGoalOptions` and `SessionOptions` have more. */
export interface CommonOptions extends CommonOptionValues, CommonPorts {}

/** The same as it was checked: options with their defaults, and every port there. */
export interface RunRequest extends Omit<ResolvedRunOptions, 'models'> {
  /** Who plans and who works; `null`: one model does both. */
  readonly roles: ModelRoles | null;
  readonly goal: string | null;
  readonly parent?: Parent;
  readonly worker?: string;
  readonly leases?: Leases | undefined;
  readonly cooldowns?: SharedCooldowns | undefined;
  readonly run?: string | undefined;
  readonly workspace: string;
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly limits: Limits;
  readonly servers: ServerEntries;
  readonly rules: RuleLayers;
  readonly ask: AskPerson | null;
  readonly askPlan: AskPlan | null;
  readonly template: GivenPlan | null;
  /** Where there is `ask`: whether it would reach anybody now. */
  isPersonThere(): boolean;
  readonly policy: HostPolicy | null;
  readonly tools: readonly (PlainTool | Toolset)[];
  readonly programConsents: ProgramConsents;
  saveRules(rules: readonly string[]): void;
  /** Where answers to it are left; left out: in its own folder. */
  readonly left?: LeftAnswers;
  /** Of this start; a run remembers them. */
  readonly startRules: { readonly allow: readonly Rule[]; readonly deny: readonly Rule[] };
  /** Without keys in what comes in pieces. */
  readonly emit: Emit;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly inbox: Inbox | null;
  /** Aborted: the trials at the end are skipped. */
  readonly skipTrials: AbortSignal;
  readonly machine: Machine;
  readonly deadlines: Partial<Deadlines>;
  readonly lessons: Lessons;
  readonly origin: Origin;
  /** `null`: nowhere. */
  readonly backupFolder: string | null;
}

/** Throws E_USAGE for what makes no sense, before anything is opened. */
export function readOptions(options: RunGoalOptions, call: 'run' | 'chat' = 'run'): RunRequest {
  const { goal, workspace } = options;
  checkGoal(goal);
  checkOptions(options);
  const machine = options.machine ?? thisMachine();
  const candidates = candidatesOf(options);
  const ofProviders = () => candidates.flatMap(({ provider }) => provider.keys?.() ?? []);
  const keys = redactor(
    [...(options.keys ?? []), ...ofProviders(), ...secretsOfServers(options.servers ?? {})],
    // One that is asked only where others fail may get its key then.
    candidates.length > 1 ? ofProviders : undefined,
  );
  const emit = redactedEmit<RunEvent>(options.emit ?? (() => {}), keys);
  const warn = (text: string): void => emit({ type: 'notice', level: 'warning', text });
  const { models = {}, ...settled } = settledFor(call, options);
  return {
    ...settled,
    goal: goal === null ? null : keys.text(goal),
    ...defined(checkedPlace(options)),
    run: checkedRunId(options),
    ...{ leases: options.leases, cooldowns: options.cooldowns },
    ...{ workspace, candidates },
    roles: rolesAmong(models, candidates),
    redactor: keys,
    limits: limitsIn(settled),
    servers: options.servers ?? {},
    ...rulesOf(options, machine.fs.platform),
    ...askingOf(options, warn),
    ...{ askPlan: options.askPlan ?? null, policy: options.policy ?? null },
    template: checkedTemplate(options.template, keys),
    tools: options.tools ?? [],
    programConsents: options.programConsents ?? NO_CONSENTS,
    saveRules: notify(options.saveRules, (why) => warn(`The rules could not be kept: ${why}`)),
    ...{ emit, inbox: options.inbox ?? null, machine },
    skipTrials: options.skipTrials ?? new AbortController().signal,
    deadlines: settled.deadlines ?? {},
    lessons: options.lessons ?? NO_LESSONS,
    origin: originOf(checkedKey(options.originKey)),
    backupFolder: checkedFolder(options.backupFolder, machine.fs.platform),
  };
}

/** Throws E_USAGE for a text that is no rule, before anything is opened. */
function rulesOf(
  { allow = [], deny = [], rules = {}, trustPrograms = false }: RunGoalOptions,
  platform: NodeJS.Platform,
): Pick<RunRequest, 'rules' | 'startRules'> {
  const reading = { words: ruleWords(), platform };
  readLayers(rules, reading);
  const lets = trustPrograms ? [...allow, 'programs(*)'] : allow;
  return {
    rules,
    startRules: { allow: parseRules(lets, reading), deny: parseRules(deny, reading) },
  };
}
