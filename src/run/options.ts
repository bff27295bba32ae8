/** What a run may be told, and what holds where it is told nothing. */
import { type Origin, originOf } from '../context-manager/origin.ts';
import { told } from '../lib/callback.ts';
import { given } from '../lib/given.ts';
import type { Candidate } from '../llm/failover/candidate.ts';
import { type Lessons, NO_LESSONS } from '../llm/models/lessons.ts';
import type { Provider } from '../llm/provider.ts';
import { type Redactor, redactor } from '../llm/secrets/redactor.ts';
import { secretsOfServers } from '../llm/secrets/server-secrets.ts';
import type { Deadlines } from '../llm/turn/deadlines.ts';
import type { HostPolicy } from '../policy/host-policy.ts';
import { readLayers } from '../policy/read-layers.ts';
import { parseRules } from '../policy/rules/parse.ts';
import type { Rule } from '../policy/rules/rule.ts';
import type { Ask, Asker } from '../round/permission/answer.ts';
import type { CanUseTool } from '../round/permission/can-use-tool.ts';
import { NO_CONSENTS, type ProgramConsents } from '../round/permission/folder-trust.ts';
import type { AskPerson } from '../round/permission/person.ts';
import {
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
  type Effort,
  type SandboxWish,
} from '../schema/config.ts';
import type { Emit, RunEvent } from '../schema/events.ts';
import type { Inbox } from '../schema/inbox.ts';
import type { ToolMode } from '../schema/records.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { ServerEntries } from '../schema/servers.ts';
import type { Limits } from '../steps/step.ts';
import type { PlainTool, Toolset } from '../tools/own/plain-tool.ts';
import { ruleWords } from '../tools/registry.ts';
import { askingOf } from './asked-by.ts';
import { candidatesOf } from './candidates-of.ts';
import {
  checkedFolder,
  checkedKept,
  checkedKey,
  checkedPlace,
  checkedResult,
  checkedRunId,
  checkGoal,
  type Parent,
} from './checked-options.ts';
import { type Machine, thisMachine } from './machine.ts';
import { redactedEmit } from './redacted-emit.ts';

export interface RunGoalOptions {
  /** `null` goes on with the current run of the workspace, or with `run`. */
  readonly goal: string | null;
  /** The id (`[\w-]{1,64}`): of the run to go on with; with a goal, of the one run however often it is begun. */
  readonly run?: string;
  /** The run that begins this one, and the seq of its record that says so; a run that goes on keeps its own. */
  readonly parent?: Parent;
  /** What the caller calls the process that works on it, up to 200 characters. */
  readonly worker?: string;
  /** All that is asked for: a run that has answered exits with 0. Changed files are judged as ever. */
  readonly wants?: 'answer';
  /** True: what a model that is led changes stays in the folder also where nothing proves it. */
  readonly keep?: boolean;
  /** `false`: a model that is led plans at once, without a plain try; a run that goes on keeps what it began with. */
  readonly plainTry?: boolean;
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
  /** Tokens; left out: what the run had so far, else the largest the model and a laptop can handle. */
  readonly contextWindow?: number;
  /** Left out: `auto`, by what the model can. */
  readonly toolMode?: 'auto' | ToolMode;
  readonly temperature?: number;
  /** Left out or `null`: by goal, turn and attempt alone. */
  readonly seed?: number | null;
  /** How much the model may think; left out: what the run had so far, else as it does by itself. */
  readonly effort?: Effort;
  /**
   * The longest result of a tool that the model sees, in characters; left out: what the run had so far,
   * else 40,000, or 8,000 for a model that is led. Never more than about an eighth of the window.
   */
  readonly maxToolResultChars?: number;
  /** Bytes of what a command prints, and of all results of a run, that are kept; 16 and 256 MB. */
  readonly keptOutput?: { readonly command?: number; readonly run?: number };
  /** Bounds the rounds from this call on; a run that reaches it pauses. */
  readonly maxRounds?: number;
  /** Bounds the tokens of the whole run, of every class, before each request. */
  readonly maxTokens?: number;
  /** US dollars for the whole run. Every model that may be asked must have a known price. */
  readonly maxCost?: number;
  /** Milliseconds from this call on. */
  readonly maxTimeMs?: number;
  /**
   * Keys in use, beside those that the providers tell: of 12 characters and more, they are taken out of
   * all that is kept, shown and sent.
   */
  readonly keys?: readonly string[];
  /**
   * Whether AGENTS.md and its like are told to the model, or the names of those that are; left out: they
   * are. A run that goes on has those that it began with.
   */
  readonly instructions?: boolean | readonly string[];
  /** Rules of what may be done unasked: `run_cmd(git commit *)`, `edit(.github/**)`, or a program. */
  readonly allow?: readonly string[];
  /** Servers of tools (MCP), by the names that rules and tools give them. */
  readonly servers?: ServerEntries;
  /** True: a run that goes on is told of the servers' tools as they are now, not as it began. */
  readonly refreshTools?: boolean;
  /** Rules of what may not be done. */
  readonly deny?: readonly string[];
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
  /** True allows whatever would be asked; what is denied stays denied. */
  readonly yes?: boolean;
  /** `true`: the model has a tool for lines of a shell, each of which is asked about. */
  readonly shell?: boolean;
  /** True runs programs of the workspace's own folders (`.venv`, `node_modules/.bin`) without asking for them. */
  readonly trustPrograms?: boolean;
  /** Where a yes to the programs of a folder is kept for further runs; left out: nowhere. */
  readonly programConsents?: ProgramConsents;
  /** Told the rules that a person wants kept for this folder; they come back in `rules`. */
  readonly keepRules?: (rules: readonly string[]) => void;
  /**
   * Whether commands are confined by the system: `auto` where it can, `require` or not at all; left out:
   * as the run had it, and `off` for a new one.
   */
  readonly sandbox?: SandboxWish;
  /** The same of settings that hold for all runs: it counts where it asks for more than the run had. */
  readonly sandboxAtLeast?: SandboxWish;
  /** True starts over when the goal is reached or under way already. */
  readonly again?: boolean;
  /** True takes the lock from a run that no longer works. */
  readonly forceUnlock?: boolean;
  /** Told of everything while the run works. */
  readonly emit?: Emit;
  /** Aborted: the write in progress is finished, then the run pauses. */
  readonly signal?: AbortSignal;
  /** What somebody says to the run while it works; it is told to the model, and changes nothing by itself. */
  readonly inbox?: Inbox;
  /** Disk, time and processes; left out: this process's own. */
  readonly machine?: Machine;
  readonly deadlines?: Partial<Deadlines>;
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
  readonly keepFolder?: string;
}

/** The same with every default in place. */
export interface RunRequest {
  readonly goal: string | null;
  readonly wants?: 'answer';
  readonly plainTry: boolean;
  readonly parent?: Parent;
  readonly worker?: string;
  readonly keep?: true;
  readonly run?: string | undefined;
  readonly workspace: string;
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly toolMode: 'auto' | ToolMode;
  readonly temperature: number;
  readonly seed: number | null;
  readonly effort: Effort | null;
  readonly limits: Limits;
  readonly maxToolResultChars: number | null;
  readonly keptOutput: { readonly command: number; readonly run: number };
  readonly instructions: boolean | readonly string[];
  readonly servers: ServerEntries;
  readonly refreshTools: boolean;
  readonly rules: RuleLayers;
  readonly ask: AskPerson | null;
  /** Where there is `ask`: whether it would reach anybody now. */
  isPersonThere(): boolean;
  readonly policy: HostPolicy | null;
  readonly tools: readonly (PlainTool | Toolset)[];
  readonly yes: boolean;
  readonly shell: boolean;
  /** `null`: as it was. */
  readonly sandbox: SandboxWish | null;
  readonly sandboxAtLeast: SandboxWish;
  readonly programConsents: ProgramConsents;
  keepRules(rules: readonly string[]): void;
  /** Of this start; a run remembers them. */
  readonly given: { readonly allow: readonly Rule[]; readonly deny: readonly Rule[] };
  readonly again: boolean;
  readonly forceUnlock: boolean;
  /** Without keys in what comes in pieces. */
  readonly emit: Emit;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly inbox: Inbox | null;
  readonly machine: Machine;
  readonly deadlines: Partial<Deadlines>;
  readonly lessons: Lessons;
  readonly origin: Origin;
  /** `null`: nowhere. */
  readonly keepFolder: string | null;
}

/** Throws E_USAGE for what makes no sense, before anything is opened. */
export function readOptions(options: RunGoalOptions): RunRequest {
  const {
    goal,
    workspace,
    toolMode = DEFAULT_TOOL_MODE,
    temperature = DEFAULT_TEMPERATURE,
  } = options;
  checkGoal(goal);
  const machine = options.machine ?? thisMachine();
  const candidates = candidatesOf(options);
  const ofProviders = candidates.flatMap(({ provider }) => provider.keys?.() ?? []);
  const keys = redactor([
    ...(options.keys ?? []),
    ...ofProviders,
    ...secretsOfServers(options.servers ?? {}),
  ]);
  const emit = redactedEmit<RunEvent>(options.emit ?? (() => {}), keys);
  const warn = (text: string): void => emit({ type: 'notice', level: 'warning', text });
  return {
    goal: goal === null ? null : keys.text(goal),
    ...given({ wants: options.wants, keep: options.keep || undefined, ...checkedPlace(options) }),
    run: checkedRunId(options),
    ...{ plainTry: options.plainTry ?? true, workspace, candidates },
    redactor: keys,
    toolMode,
    ...{ temperature, seed: options.seed ?? null, effort: options.effort ?? null },
    maxToolResultChars: checkedResult(options.maxToolResultChars),
    limits: limitsOf(options),
    keptOutput: checkedKept(options.keptOutput),
    instructions: options.instructions ?? true,
    servers: options.servers ?? {},
    refreshTools: options.refreshTools ?? false,
    ...rulesOf(options, machine.fs.platform),
    ...askingOf(options, warn),
    policy: options.policy ?? null,
    tools: options.tools ?? [],
    ...{ yes: options.yes ?? false, shell: options.shell ?? false },
    programConsents: options.programConsents ?? NO_CONSENTS,
    sandbox: options.sandbox ?? null,
    sandboxAtLeast: options.sandboxAtLeast ?? 'off',
    keepRules: told(options.keepRules, (why) => warn(`The rules could not be kept: ${why}`)),
    ...{ again: options.again ?? false, forceUnlock: options.forceUnlock ?? false },
    ...{ emit, inbox: options.inbox ?? null, machine },
    deadlines: options.deadlines ?? {},
    lessons: options.lessons ?? NO_LESSONS,
    origin: originOf(checkedKey(options.originKey)),
    keepFolder: checkedFolder(options.keepFolder, machine.fs.platform),
  };
}

/** Throws E_USAGE for a text that is no rule, before anything is opened. */
function rulesOf(
  { allow = [], deny = [], rules = {}, trustPrograms = false }: RunGoalOptions,
  platform: NodeJS.Platform,
): Pick<RunRequest, 'rules' | 'given'> {
  const reading = { words: ruleWords(), platform };
  readLayers(rules, reading);
  const lets = trustPrograms ? [...allow, 'programs(*)'] : allow;
  return { rules, given: { allow: parseRules(lets, reading), deny: parseRules(deny, reading) } };
}

const limitsOf = ({ maxRounds, maxTokens, maxCost, maxTimeMs }: RunGoalOptions): Limits =>
  given({ maxRounds, maxTokens, maxCost, maxTimeMs });
