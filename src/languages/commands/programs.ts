/** What the languages know about programs, in the form that the processes room needs. */
import type { ProgramKnowledge } from '../../processes/programs/program-finder.ts';
import { LANGUAGES } from '../languages.ts';
import { onlyOnPath } from './only-on-path.ts';

const MACHINES = LANGUAGES.flatMap(({ machine }) => machine ?? []);

export const PROGRAMS: ProgramKnowledge = {
  finders: MACHINES.map(({ find }) => find),
  runnerOf: (path) =>
    MACHINES.map((machine) => machine.runnerOf(path)).find((runner) => runner !== null) ?? null,
  startExample: MACHINES.toReversed()
    .flatMap(({ startExample }) => startExample ?? [])
    .join(' or '),
  quiet: Object.assign({}, ...MACHINES.map(({ quiet }) => quiet)),
  kept: MACHINES.flatMap(({ kept }) => kept),
  onlyOnPath,
  programFolders: (platform) => MACHINES.flatMap((machine) => machine.programFolders(platform)),
};

/** Programs that goals may need, each with what to do if it is missing. */
export const USEFUL_PROGRAMS = MACHINES.flatMap(({ usefulPrograms: wanted }) => wanted);

/** Files that steer the language's programs without being named. */
export const STEERING_FILES = MACHINES.flatMap(({ steering = [] }) => steering);
