/** Classifies what was done, is planned or is offered, by the capability of its tool. Pure. */
import type { Capability } from './actions.ts';

/** A call, its outcome, a step of a plan, or a tool itself. */
interface WithCapability {
  readonly does?: Capability | undefined;
}

export const isWholeWrite = ({ does }: WithCapability): boolean => does === 'writes_whole_files';
export const isEdit = ({ does }: WithCapability): boolean => does === 'edits_files';
export const isWrite = (action: WithCapability): boolean => isWholeWrite(action) || isEdit(action);
/** True for any change of a file's content or existence. */
export const isChange = (action: WithCapability): boolean =>
  isWrite(action) || action.does === 'rearranges_files';
export const isRead = ({ does }: WithCapability): boolean => does === 'reads_files';
export const isListing = ({ does }: WithCapability): boolean => does === 'lists_folders';
export const isReadOrListing = (action: WithCapability): boolean =>
  isRead(action) || isListing(action);
export const isCommand = ({ does }: WithCapability): boolean => does === 'runs_commands';
export const endsSubtask = ({ does }: WithCapability): boolean => does === 'ends_subtasks';
export const setsPlan = ({ does }: WithCapability): boolean => does === 'sets_plan';
export const givesUp = ({ does }: WithCapability): boolean => does === 'gives_up';
