/** Describes a tool call for programs that show it before it runs, from its name and arguments alone. Pure. */
import { oneLine } from '../lib/text/plain-text.ts';
import { shortened } from '../lib/text/shortened.ts';
import { callLabel, toolLabel } from '../shown/calls.ts';
import type { CallArgs } from './calls/args-schema.ts';
import type { Reach, Tool } from './contract.ts';
import { builtinTool } from './registry.ts';

/** The categories by which editors sort calls. */
export type CallKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'fetch'
  | 'other';

export interface CallView {
  readonly kind: CallKind;
  /** One line, such as `write a.txt`. */
  readonly title: string;
  /** As in the arguments. */
  readonly paths: readonly string[];
}

const LONGEST_TITLE = 200;

export function callView(name: string, args: CallArgs): CallView {
  const tool = builtinTool(name);
  const target = tool?.target?.(args) ?? null;
  const text = oneLine(target?.text ?? '');
  const label =
    text === '' ? toolLabel(name).replaceAll('_', ' ') : callLabel({ tool: name, target: text });
  const title = shortened(label, LONGEST_TITLE);
  if (tool === null) return { kind: 'other', title, paths: [] };
  const reaches = tool.reaches?.(args) ?? [];
  const named = target?.kind === 'file' || target?.kind === 'folder' ? [target.text] : [];
  const paths = reaches.length > 0 ? reaches.map(({ path }) => path) : named;
  return { kind: kindOf(tool, reaches), title, paths: [...new Set(paths)] };
}

function kindOf({ touches, does, target }: Tool, reaches: readonly Reach[]): CallKind {
  switch (touches) {
    case 'files':
      if (does !== 'rearranges_files') return 'edit';
      return reaches.some((reach) => reach.does === 'remove') ? 'delete' : 'move';
    case 'reads':
      return does === undefined && target !== undefined && reaches.length > 0 ? 'search' : 'read';
    case 'process':
      return 'execute';
    case 'network':
      return 'fetch';
    case 'nothing':
      return 'other';
    default:
      return touches satisfies never;
  }
}
