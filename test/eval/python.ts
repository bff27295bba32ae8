/** The Python that the oracles are tried with, looked for once. */
import { findPython, type Programs, programs } from '../../eval/programs.ts';

const python = await findPython();

export const has = {
  python: 'program' in python,
  pytest: 'program' in python && python.hasPytest,
};

const started = programs('program' in python ? python.program : 'python');

/** Of what is installed they need pytest alone: without the rest Python starts in a fraction of the time. */
export const PROGRAMS: Programs = {
  ...started,
  python: (args, options) => started.python(args[0] === '-m' ? args : ['-S', ...args], options),
};
