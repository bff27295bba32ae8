/** What a model is shown that edits a file that does not hold what it takes to be there. */

import { driverOf } from '../../drivers/driver-of.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { isEdit } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import { hashFile } from '../../workspace/files.ts';
import { pathsOf } from '../../workspace/jail.ts';
import type { Run } from '../run.ts';

const HEADING = 80;

/** Adds the text that the file has now; before that it is answered with the lines that come closest. */
export function withTextNow(
  result: ToolResult,
  path: string,
  { context, world, toolContext }: Pick<Run, 'context' | 'world' | 'toolContext'>,
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

/** One behind the other, with nothing in between that changed the file or read it. */
function failedEdits({ active }: RunState, path: string): number {
  const about = (active?.actions ?? []).filter(({ target }) => target.split(', ').includes(path));
  const last = about.findLastIndex((action) => !isEdit(action) || action.status !== 'error');
  return about.length - 1 - last;
}
