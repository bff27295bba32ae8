/** Asks about a program folder before the first command that would use it. */
import { ranBeside } from '../../languages/commands/installs.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import { allowedWith } from '../../policy/words-of.ts';
import type { FolderOffer } from '../../processes/programs/folder-programs.ts';
import { plainName } from '../../processes/programs/locate.ts';
import { FOLDER_QUESTION } from '../../schema/journal/permissions.ts';
import { type SplitCommand, splitCommand } from '../../tools/commands/split-command.ts';
import type { CallTarget } from '../../tools/contract.ts';
import type { CallDecision } from '../../tools/decision.ts';
import { programFrom } from '../../tools/files/in-folder.ts';
import type { RunPorts } from '../run-ports.ts';
import { formatFolder } from './folder-trust.ts';
import type { PermissionQuestion } from './person.ts';

export type FolderPort = Pick<RunPorts, 'folders' | 'findOutside' | 'toolContext'>;

export interface NeededFolder {
  readonly offer: FolderOffer;
  /** The program that would run from the folder. */
  readonly name: string;
  /** True when PATH offers no substitute. */
  readonly isNeeded: boolean;
}

/** `null`: the command uses no folder that still needs consent. */
export async function folderNeededBy(
  { target, line }: { readonly target: CallTarget | null; readonly line?: SplitCommand | null },
  { folders, findOutside, toolContext: { fs, workspace } }: FolderPort,
): Promise<NeededFolder | null> {
  if (target?.kind !== 'command') return null;
  const { platform } = fs;
  const split = line ?? splitCommand(target.text, platform);
  if (!split.ok) return null;
  const inner = ranBeside([split.program, ...split.args], platform);
  const program = inner ?? programFrom(split.program, target.folder, platform);
  const isPath = /[\\/]/.test(program);
  if (isPath && !isInside(workspace, pathsOf(platform).resolve(workspace, program), platform))
    return null;
  const name = plainName(program, platform);
  const offer = folders.lacking(name, inner === null ? 'itself' : 'another');
  if (offer === null) return null;
  const isNeeded = inner !== null || isPath || (await findOutside(name)).kind !== 'found';
  return { offer, name, isNeeded };
}

export const folderQuestion = (
  { offer, name }: NeededFolder,
  callId: string,
  { toolContext: { workspace } }: FolderPort,
): PermissionQuestion => ({
  id: offer.stamp,
  tool: FOLDER_QUESTION,
  target: formatFolder(offer),
  callId,
  input: { folder: offer.root },
  reason: `${name} lies in this project, and nobody has allowed the programs of its folder as they are now.`,
  rules: [ruleFor(offer)],
  folder: workspace,
  argv: null,
  program: null,
  offered: [],
});

const ruleFor = ({ root }: FolderOffer): string => `programs(${root})`;

/** Reported once, when a program on PATH is used instead. */
export const leftOutText = ({ offer, name }: NeededFolder): string =>
  `${name} is that of PATH: nobody has allowed the programs of ${formatFolder(offer)}.`;

/** Used when PATH has no substitute. */
export const refusalFor = (
  { offer, name }: NeededFolder,
  { toolContext: { fs } }: FolderPort,
): CallDecision => ({
  kind: 'deny',
  reason: `${name} is only in ${offer.root}, whose programs nobody has allowed as they are now.`,
  hint: allowedWith([ruleFor(offer)], fs.platform),
});
