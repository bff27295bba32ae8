import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TardigradeError } from '../lib/errors.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import {
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
  EFFORTS,
  type Effort,
  LEAST_TOOL_RESULT,
  SANDBOX_WISHES,
  type SandboxWish,
} from '../schema/config.ts';
import type { ToolMode } from '../schema/records.ts';
import type { Parsed } from './arguments.ts';
import type { CommandName } from './command-line.ts';
import { type GivenLimits, parseLimits } from './limits.ts';
import { type Operands, readOperands } from './operands.ts';
import type { Verbosity } from './render/contract.ts';
import { count } from './render/text.ts';
import { type GivenTimeouts, parseTimeouts } from './timeouts.ts';

/** A checked command line: values in range, the workspace an existing folder. */
export interface Invocation extends Operands {
  readonly command: CommandName;
  readonly workspace: string;
  /** As it was typed, to print it back; `null` where it was not given. */
  readonly workspaceOption: string | null;
  readonly model: string | null;
  readonly host: string | null;
  readonly baseUrl: string | null;
  /** Models to ask when the wanted one fails, as they were typed. */
  readonly fallbacks: readonly string[];
  /** `null`: as many as suit who leads. */
  readonly maxRounds: number | null;
  readonly limits: GivenLimits;
  readonly timeouts: GivenTimeouts;
  /** The file as it was typed. */
  readonly record: string | null;
  /** Files to append events and costs to, as they were typed. */
  readonly log: string | null;
  readonly accounting: string | null;
  /** Tokens. */
  readonly contextWindow: number | null;
  readonly temperature: number;
  readonly seed: number | null;
  readonly effort: Effort | null;
  readonly maxToolResultChars: number | null;
  readonly toolMode: 'auto' | ToolMode;
  /** One message to answer; `null`: a conversation. */
  readonly exec: string | null;
  readonly session: string | null;
  readonly maxToolCalls: number | null;
  readonly maxTurns: number | null;
  readonly maxRetries: number | null;
  /** A file, or the words themselves. */
  readonly system: string | null;
  /** Files of conversations, as they were typed. */
  readonly load: string | null;
  readonly save: string | null;
  readonly format: string | null;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** A file of settings in the place of the user's own, as it was typed. */
  readonly config: string | null;
  /** Whether instruction files are told, or the names of those that are. */
  readonly instructions: boolean | readonly string[];
  /** Whether commands are to be confined; `null`: as it was. */
  readonly sandbox: SandboxWish | null;
  readonly verbosity: Verbosity;
  readonly flags: ReadonlySet<string>;
}

type Raw = Extract<Parsed, { kind: 'command' }>;

export function checkInvocation(parsed: Raw, cwd: string): Invocation {
  const { command, options } = parsed;
  const text = (name: string): string | null => {
    const value = options[name];
    return typeof value === 'string' ? value : null;
  };
  const flags = new Set(Object.keys(options).filter((name) => options[name] === true));
  const workspaceOption = text('workspace');
  const isWorking = command === 'run' || command === 'resume' || command === 'chat';
  return {
    command,
    ...readOperands(parsed, text('model')),
    workspace: command === 'demo' ? cwd : checkWorkspace(workspaceOption, cwd, isWorking),
    workspaceOption,
    model: text('model'),
    host: text('host'),
    baseUrl: webAddress(text('baseUrl')),
    fallbacks: Array.isArray(options.fallback) ? options.fallback.map(String) : [],
    maxRounds: integer('--max-rounds', text('maxRounds'), 1, 10_000),
    limits: parseLimits(text),
    timeouts: parseTimeouts(text),
    record: text('record'),
    log: text('log'),
    accounting: text('accounting'),
    contextWindow: integer('--context', text('context'), 1024, 10_000_000),
    temperature: decimal('--temperature', text('temperature'), 0, 2) ?? DEFAULT_TEMPERATURE,
    seed: integer('--seed', text('seed'), 0, 2 ** 31 - 1),
    effort: effort(text('effort')),
    maxToolResultChars: integer(
      '--max-tool-result-chars',
      text('maxToolResultChars'),
      LEAST_TOOL_RESULT,
      10_000_000,
    ),
    toolMode: toolMode(text('toolMode')),
    exec: text('exec'),
    session: text('session'),
    maxToolCalls: integer('--max-tool-calls', text('maxToolCalls'), 1, 10_000),
    maxTurns: integer('--max-turns', text('maxTurns'), 1, 10_000),
    maxRetries: integer('--max-retries', text('maxRetries'), 1, 1_000),
    system: text('system'),
    load: text('load'),
    save: text('save'),
    format: text('format'),
    allow: texts(options.allow),
    deny: texts(options.deny),
    config: text('config'),
    instructions: instructions(options.instructions),
    sandbox: sandbox(text('sandbox')),
    verbosity: flags.has('quiet') ? 'quiet' : flags.has('debug') ? 'debug' : 'normal',
    flags,
  };
}

const IN_RANGE = 'Give one in that range, or leave it out for the default.';

const usage = (message: string, hint: string): TardigradeError =>
  new TardigradeError('E_USAGE', message, hint);

function integer(name: string, text: string | null, least: number, most: number): number | null {
  if (text === null) return null;
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = `${count(least)} to ${count(most)}`;
  throw usage(`${name} must be a whole number from ${range}, not "${text}".`, IN_RANGE);
}

function decimal(name: string, text: string | null, least: number, most: number): number | null {
  if (text === null) return null;
  const value = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usage(`${name} must be ${least} to ${most}, not "${text}".`, IN_RANGE);
}

/** What it holds is not said back: a password may stand in it. */
function webAddress(text: string | null): string | null {
  const isWeb = text === null || /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '');
  if (isWeb) return text;
  throw usage(
    'The value of --base-url is not an http address.',
    'Give it like https://api.openai.com/v1 or http://127.0.0.1:1234/v1.',
  );
}

function toolMode(text: string | null): 'auto' | ToolMode {
  if (text === null) return DEFAULT_TOOL_MODE;
  if (text === 'auto' || text === 'native' || text === 'json') return text;
  throw usage(`There is no tool mode "${text}".`, 'Give auto, native or json.');
}

function effort(text: string | null): Effort | null {
  const wanted = EFFORTS.find((level) => level === text);
  if (text === null || wanted !== undefined) return wanted ?? null;
  throw usage(`There is no effort "${text}".`, `Give one of: ${EFFORTS.join(', ')}.`);
}

function sandbox(text: string | null): SandboxWish | null {
  const wanted = SANDBOX_WISHES.find((wish) => wish === text);
  if (text === null || wanted !== undefined) return wanted ?? null;
  throw usage(`There is no sandbox "${text}".`, `Give one of: ${SANDBOX_WISHES.join(', ')}.`);
}

/** As they were typed; the command that uses them reads them as rules. */
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

/** Checked where it comes from a file; typed, it can only be switched off. */
const instructions = (value: unknown): boolean | readonly string[] =>
  Array.isArray(value) ? value.map(String) : value !== false;

/** The folder, absolute. Throws E_WORKSPACE unless it exists and, for a run, can be written to. */
export function checkWorkspace(option: string | null, cwd: string, mustWrite: boolean): string {
  const folder = resolve(cwd, option ?? '.');
  const refuse = (message: string, hint: string): never => {
    throw new TardigradeError('E_WORKSPACE', message, hint);
  };
  try {
    if (!statSync(folder).isDirectory()) {
      refuse(`${folder} is a file, not a folder.`, 'Give a folder with --workspace.');
    }
    accessSync(folder, constants.R_OK | (mustWrite ? constants.W_OK : 0));
  } catch (error) {
    if (error instanceof TardigradeError) throw error;
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      refuse(`The folder ${folder} does not exist.`, 'Create it, or give another --workspace.');
    }
    refuse(
      `The folder ${folder} cannot be ${mustWrite ? 'written to' : 'read'} (${code}).`,
      'Change its permissions, or give another --workspace.',
    );
  }
  return folder;
}
