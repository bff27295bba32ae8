/** The Python that the oracles are tried with, looked for once. */
import { findPython, type Programs, programs } from '../../eval/programs.ts';
import { forkedPython } from './forked-python.ts';

const python = await findPython();

export const has = {
  python: 'program' in python,
  pytest: 'program' in python && python.hasPytest,
};

const started = programs('program' in python ? python.program : 'python');

const forked =
  has.pytest && 'program' in python && process.platform !== 'win32'
    ? forkedPython(python.program)
    : null;

/** Of what is installed they need pytest alone: without the rest Python starts in a fraction of the time. */
export const PROGRAMS: Programs = {
  ...started,
  python: (args, options) => {
    const isModule = args[0] === '-m';
    if (forked !== null && (!isModule || args[1] === 'pytest')) return forked(args, options);
    return started.python(isModule ? args : ['-S', ...args], options);
  },
};
