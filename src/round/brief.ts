/** How the model reads the goal, recorded with what of it the goal carries. */
import { isDeepStrictEqual } from 'node:util';
import { readBrief } from '../decompose/brief/read-brief.ts';
import type { SaidBrief } from '../decompose/brief/said-brief.ts';
import type { Run } from './run.ts';

/** Once: the step that records it may be taken again after a crash. */
export function recordBrief(
  { context }: Pick<Run, 'context'>,
  said: { readonly [field: string]: unknown },
  read: SaidBrief,
): void {
  const { goal, goalParts, brief: before } = context.state;
  const brief = readBrief(read, goal, goalParts);
  if (!isDeepStrictEqual(brief, before)) context.record({ type: 'brief_made', said, brief });
}
