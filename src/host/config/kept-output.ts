/** How much of what programs print is kept, as a settings file says it. */
import type { ConfigForm } from './form.ts';

const MB = 1024 * 1024;

/** Of the user's file alone: a project fills no disk. */
export const keptBytes = ({ commandMb, runMb }: NonNullable<ConfigForm['keptOutput']> = {}) => ({
  ...(commandMb === undefined ? {} : { command: commandMb * MB }),
  ...(runMb === undefined ? {} : { run: runMb * MB }),
});
