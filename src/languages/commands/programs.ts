/** What the languages know of programs, in the form in which processes are told. */
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

/** Programs that goals may want, each with what to do where it is missing. */
export const USEFUL_PROGRAMS = MACHINES.flatMap(({ usefulPrograms: wanted }) => wanted);

/** Files by which its programs go before anybody looks at them. */
export const STEERING_FILES = MACHINES.flatMap(({ steering = [] }) => steering);
