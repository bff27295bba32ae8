/** Short constructors for tool results. Pure. */
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

/** A call whose changes of files are not known before it runs. */
export const ready = (perform: Extract<Prepared, { kind: 'ready' }>['perform']): Prepared => ({
  kind: 'ready',
  files: [],
  perform,
});

export type Refused = Extract<Prepared, { kind: 'refused' }>;

export const refused = (content: string, status: ActionStatus = 'error'): Refused => ({
  kind: 'refused',
  result: failed(content, status),
});

/** An edit that does not fit the file's current content. @param path of the file, relative to the workspace */
export const misfit = (path: string, content: string): Refused => ({
  kind: 'refused',
  result: { ...failed(content), misfit: path },
});
