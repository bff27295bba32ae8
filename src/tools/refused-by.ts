/** The result of a call that the policy refused, with what that tool or another one could do instead. */
import { programName } from '../languages/commands/program-name.ts';
import { defined } from '../lib/defined.ts';
import { own } from '../lib/own.ts';
import type { ToolResult } from '../schema/actions.ts';
import { isEdit, isWholeWrite } from '../schema/capability.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import type { ReadCall } from './calls/read-call.ts';
import type { ValidCall } from './calls/validate-call.ts';
import type { Tool, ToolContext } from './contract.ts';
import type { CallDecision } from './decision.ts';
import { fromFolder } from './files/in-folder.ts';
import { failed } from './result.ts';

type Refused = Exclude<CallDecision, { kind: 'allow' }>;
type Call = Pick<Extract<ValidCall, { kind: 'valid' }>, 'target'> & Pick<ReadCall, 'line'>;
interface Port {
  readonly tools: readonly Tool[];
  readonly context: Pick<ToolContext, 'fs' | 'workspace'>;
}

export function refusedBy(decision: Refused, call: Call, port: Port): ToolResult {
  const { reason, hint } = decision;
  const replaced = replacedPaths(call, port);
  // A call that a person could be asked about is already noted with its rules.
  const allowedBy = decision.kind === 'deny' ? decision.rules : undefined;
  return {
    ...failed(`${reason} ${hint}`.trim(), 'denied'),
    facts: { refused: true, ...defined({ replaced, allowedBy: allowedBy && [...allowedBy] }) },
  };
}

/** What the command would change, if a tool that changes files does what its program does. */
function replacedPaths(
  { target, line }: Call,
  { tools, context: { fs, workspace } }: Port,
): string[] | undefined {
  if (!line?.ok) return undefined;
  const name = programName(line.program, fs.platform);
  const tool = tools.find(
    ({ touches, replacesPrograms = {} }) =>
      touches === 'files' && own(replacesPrograms, name) !== undefined,
  );
  if (tool === undefined) return undefined;
  const jail = { platform: fs.platform, forWrite: true };
  const words = line.args.filter((word) => !word.startsWith('-'));
  const named = words.flatMap((word) => {
    const path = fromFolder(word, target?.folder, fs.platform);
    const found = resolveInWorkspace(fs, workspace, path, jail);
    return found.kind === 'refused' ? [] : [found];
  });
  // No tool changes what lies outside. Words of an editing program need not be paths, such as `/old/d`.
  const isAllNamed = named.length === words.length || isEdit(tool);
  if (named.length === 0 || !isAllNamed) return undefined;
  const there = named.filter(({ isThere }) => isThere);
  if (there.length === 0) return named.map(({ relative }) => `${relative}/`);
  // A program that only makes something new leaves an existing folder as it is.
  const isDone = (absolute: string): boolean =>
    isWholeWrite(tool) && fs.stat(absolute).kind === 'directory';
  return there.filter(({ absolute }) => !isDone(absolute)).map(({ relative }) => relative);
}
