/** The Python that the oracles are tried with, looked for once. */
import { findPython, type Programs, programs } from '../../eval/programs.ts';
import { forkedPytest } from './forked-pytest.ts';

const python = await findPython();

export const has = {
  python: 'program' in python,
  pytest: 'program' in python && python.hasPytest,
};

const started = programs('program' in python ? python.program : 'python');

const forked =
  has.pytest && 'program' in python && process.platform !== 'win32'
    ? forkedPytest(python.program)
    : null;

/** Of what is installed they need pytest alone: without the rest Python starts in a fraction of the time. */
export const PROGRAMS: Programs = {
  ...started,
  python: (args, options) => {
    if (args[0] !== '-m') return started.python(['-S', ...args], options);
    return forked !== null && args[1] === 'pytest'
      ? forked(args.slice(2), options)
      : started.python(args, options);
  },
};
