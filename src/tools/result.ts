/** Short ways to say what a tool says. Pure. */
import type { ActionStatus, ToolResult } from '../schema/actions.ts';
import type { Prepared } from './contract.ts';

export const ok = (content: string, more: Partial<ToolResult> = {}): ToolResult => ({
  status: 'ok',
  content,
  ...more,
});

export const failed = (content: string, status: ActionStatus = 'error'): ToolResult => ({
  status,
  content,
});

export const refused = (content: string, status: ActionStatus = 'error'): Prepared => ({
  kind: 'refused',
  result: failed(content, status),
});

/** An edit that does not fit what the file holds now. @param path of the file, from the workspace on */
export const misfit = (path: string, content: string): Prepared => ({
  kind: 'refused',
  result: { ...failed(content), misfit: path },
});
