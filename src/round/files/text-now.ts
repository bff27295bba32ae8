/** What a model sees when it edits a file that does not contain the text it expects. */

import { driverOf } from '../../drivers/driver-of.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { isEdit } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import { hashFile } from '../../workspace/files.ts';
import type { RunPorts } from '../run-ports.ts';

const HEADING = 80;

/** Adds the current text of the file on a repeated failure; before that, only the closest lines are shown. */
export function withTextNow(
  result: ToolResult,
  path: string,
  { context, world, toolContext }: Pick<RunPorts, 'context' | 'world' | 'toolContext'>,
): ToolResult {
  const { state } = context;
  const { showsTextFrom } = driverOf(state.settings);
  if (showsTextFrom === null || failedEdits(state, path) + 1 < showsTextFrom) return result;
  if (toolContext.mayShow?.(path) === false) return result;
  const text = world.readText(path);
  const room = toolContext.maxResultChars - result.content.length - HEADING;
  if (text === null || text === '' || room <= 0) return result;
  const isWhole = text.length <= room;
  const shown = isWhole ? text : text.slice(0, room);
  const heading = isWhole ? `${path} holds now:` : `${path} begins now, cut at its end:`;
  const { fs, workspace } = toolContext;
  const hash = hashFile(fs, pathsOf(fs.platform).join(workspace, path));
  return {
    ...result,
    content: `${result.content}\n${heading}\n${shown}`,
    ...(isWhole && hash !== null
      ? { facts: { ...result.facts, shows: [path] }, hashes: { ...result.hashes, [path]: hash } }
      : {}),
  };
}

/** Counts consecutive failed edits with no change or read of the file between them. */
function failedEdits({ active }: RunState, path: string): number {
  const about = (active?.actions ?? []).filter(({ target }) => target.split(', ').includes(path));
  const last = about.findLastIndex((action) => !isEdit(action) || action.status !== 'error');
  return about.length - 1 - last;
}
