/** What was done, is planned or is offered, told by what its tool can be asked for. Pure. */
import type { Capability } from './actions.ts';

/** A call, its outcome, a step of a plan, or a tool itself. */
interface Doing {
  readonly does?: Capability | undefined;
}

export const isWholeWrite = ({ does }: Doing): boolean => does === 'writes_whole_files';
export const isEdit = ({ does }: Doing): boolean => does === 'edits_files';
/** Of a file as a whole, or of some of its lines. */
export const isWrite = (doing: Doing): boolean => isWholeWrite(doing) || isEdit(doing);
/** Of what files hold, or of which there are. */
export const isChange = (doing: Doing): boolean =>
  isWrite(doing) || doing.does === 'rearranges_files';
export const isRead = ({ does }: Doing): boolean => does === 'reads_files';
export const isListing = ({ does }: Doing): boolean => does === 'lists_folders';
export const isLook = (doing: Doing): boolean => isRead(doing) || isListing(doing);
export const isCommand = ({ does }: Doing): boolean => does === 'runs_commands';
export const endsSubtask = ({ does }: Doing): boolean => does === 'ends_subtasks';
export const setsPlan = ({ does }: Doing): boolean => does === 'sets_plan';
export const givesUp = ({ does }: Doing): boolean => does === 'gives_up';
