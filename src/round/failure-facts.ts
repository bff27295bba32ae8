/** What is kept of a failed command for a later repair. */
import { involvedFiles } from '../languages/testing/involved-files.ts';
import type { ActionFacts } from '../schema/actions.ts';
import type { RunPorts } from './run-ports.ts';

const MAX_FILES = 200;

export function withInvolved(
  facts: ActionFacts,
  failed: { readonly cmd: string; readonly output: string },
  { world }: Pick<RunPorts, 'world'>,
): ActionFacts {
  const files = world.files(MAX_FILES);
  const involved = involvedFiles(failed, { files, readText: (path) => world.readText(path) });
  return involved.length === 0 ? facts : { ...facts, involved: [...involved] };
}
