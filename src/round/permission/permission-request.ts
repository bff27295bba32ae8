/** What a call needs consent for, and an id for exactly this call. */
import stringify from 'fast-json-stable-stringify';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { CallArgs } from '../../tools/calls/args-schema.ts';
import { splitCommandOf } from '../../tools/calls/read-call.ts';
import type { SplitCommand } from '../../tools/commands/split-command.ts';
import type { CallTarget, Tool } from '../../tools/contract.ts';
import type { CallDecision } from '../../tools/decision.ts';
import { programFrom } from '../../tools/files/in-folder.ts';
import { formatTarget } from '../../tools/toolset.ts';
import type { RunPorts } from '../run-ports.ts';
import { changeText } from './change-text.ts';
import type { PermissionQuestion } from './person.ts';

export interface CallToApprove {
  readonly tool: Tool;
  readonly args: CallArgs;
  readonly target: CallTarget | null;
  /** A command's line as it was parsed; left out: it is parsed here. */
  readonly line?: SplitCommand | null | undefined;
}

export type QuestionPort = Pick<RunPorts, 'toolContext' | 'findProgram'>;

/** `missing`: the program is not here, so there is nothing to ask about. */
export async function questionFor(
  { tool, args, target, line }: CallToApprove,
  decision: Extract<CallDecision, { kind: 'ask' }>,
  run: QuestionPort,
  callId = '',
): Promise<PermissionQuestion | 'missing'> {
  const split = line ?? splitCommandOf(target, run.toolContext);
  const program = split?.ok ? await programOf(split, target, run) : null;
  if (program === 'missing') return 'missing';
  const { workspace, fs } = run.toolContext;
  const { wants } = decision;
  const isOffered = wants.length > 0 && wants.every((want) => want.isOffered);
  const rules = wants.flatMap(({ rule }) => rule ?? []);
  const { hashes, shown } = await changesOf(tool, args, run);
  return {
    id: idOf(tool, args, [workspace, program, hashes]),
    tool: tool.name,
    input: args,
    callId,
    target: formatTarget(target),
    reason: decision.reason,
    rules: wants.some(({ rule }) => rule === null) ? [] : rules,
    folder:
      target?.kind === 'address' ? '' : pathsOf(fs.platform).join(workspace, target?.folder ?? ''),
    argv: split?.ok ? [split.program, ...split.args] : null,
    program: program === null ? null : (program[0] ?? null),
    offered: isOffered ? rules : [],
    ...(isOffered && wants.some((want) => want.isForRunOnly) ? { isForRunOnly: true } : {}),
    // The target names only the tool, so the arguments are shown too.
    ...(tool.server === undefined ? shown : { inputText: stringify(args) }),
  };
}

/** 128 bits, so that nobody can construct another call with the same id. */
const idOf = (tool: Tool, args: CallArgs, place: readonly unknown[]): string =>
  sha256(stringify([tool.name, args, ...place])).slice(0, 32);

async function programOf(
  { program }: Extract<SplitCommand, { ok: true }>,
  target: CallTarget | null,
  { toolContext, findProgram }: QuestionPort,
): Promise<readonly string[] | 'missing'> {
  const { platform } = toolContext.processes;
  const found = await findProgram(programFrom(program, target?.folder, platform));
  return found.kind === 'found' ? [found.file, ...found.prefix] : 'missing';
}

/**
 * Hashes of the contents that the call would write, and the change as a person is shown it. No content is
 * stored for a question: without a yes no record would name it, and an undo would take it for a lost file.
 */
async function changesOf(tool: Tool, args: CallArgs, { toolContext }: QuestionPort) {
  if (tool.touches !== 'files') return { hashes: null, shown: {} };
  const prepared = await tool.prepare(args, { ...toolContext, storeBlob: sha256 });
  if (prepared.kind === 'refused') return { hashes: null, shown: {} };
  const text = await changeText(prepared.contents ?? []);
  return {
    hashes: prepared.files.map(({ path, before, after }) => [path, before, after]),
    shown: text === '' ? {} : { inputText: text },
  };
}
