import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TardigradeError } from '../../lib/errors.ts';
import { systemErrorCode } from '../../lib/system-error.ts';
import { type CommandName, commandRow } from '../../options/commands.ts';
import type { OptionValues } from '../../options/option-values.ts';
import { optionsFromFlags } from '../../options/read.ts';
import type { OptionRow } from '../../options/row.ts';
import { longFlag, OPTIONS, type OptionTable } from '../../options/table.ts';
import type { Verbosity } from '../render/contract.ts';
import type { Parsed } from './arguments.ts';
import { type Operands, readOperands } from './operands.ts';

type ParsedOptions = {
  readonly [Name in keyof Omit<OptionValues, 'workspace'>]?: OptionValues[Name] | undefined;
};

/** A checked command line: every value is in range, and the workspace is an existing folder. */
export interface Invocation extends Operands, ParsedOptions {
  readonly command: CommandName;
  readonly workspace: string;
  /** As typed, to print it back; `null` if it was not given. */
  readonly workspaceOption: string | null;
  /** No word was typed at all. */
  readonly isBare: boolean;
}

/** Throws E_USAGE and E_WORKSPACE. */
export function checkInvocation(
  parsed: Extract<Parsed, { kind: 'command' }>,
  cwd: string,
  table: OptionTable = OPTIONS,
): Invocation {
  const { command, wants, isBare = false } = parsed;
  const { workspace: typed, ...values } = optionsFromFlags(parsed.options, table);
  const workspaceOption = typed ?? null;
  return {
    command,
    ...readOperands(parsed, values.model ?? null),
    ...values,
    ...(wants === undefined ? {} : { wants }),
    workspace:
      command === 'demo'
        ? cwd
        : checkWorkspace(workspaceOption, cwd, commandRow(command).works === true),
    workspaceOption,
    isBare,
  };
}

export const verbosityOf = ({ quiet, debug }: Pick<Invocation, 'quiet' | 'debug'>): Verbosity =>
  quiet === true ? 'quiet' : debug === true ? 'debug' : 'normal';

/** The folder as an absolute path. Throws E_WORKSPACE unless it exists and, for a run, is writable. */
export function checkWorkspace(
  option: string | null,
  cwd: string,
  mustWrite: boolean,
  row: OptionRow = OPTIONS.workspace,
): string {
  const flag = longFlag(row);
  const folder = resolve(cwd, option ?? '.');
  const refuse = (message: string, hint: string): never => {
    throw new TardigradeError('E_WORKSPACE', message, hint);
  };
  try {
    if (!statSync(folder).isDirectory())
      refuse(`${folder} is a file, not a folder.`, `Give a folder with ${flag}.`);
    accessSync(folder, constants.R_OK | (mustWrite ? constants.W_OK : 0));
  } catch (error) {
    if (error instanceof TardigradeError) throw error;
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      refuse(`The folder ${folder} does not exist.`, `Create it, or give another ${flag}.`);
    refuse(
      `The folder ${folder} cannot be ${mustWrite ? 'written to' : 'read'} (${code}).`,
      `Change its permissions, or give another ${flag}.`,
    );
  }
  return folder;
}
