/** Pure: turns a failure of npm into an error with a next step. */

import { misuse, type OptionAdvice, TardigradeError } from '../../lib/errors.ts';
import type { ProcessOutcome } from '../../processes/contract.ts';
import { CERTIFICATE_HINT, isOffline, kindOfCode } from '../http/network-failures.ts';

/** `ENOTCACHED`: npm was told to be offline. */
const isNoAnswer = (code: string): boolean => {
  const kind = kindOfCode(code);
  return isOffline(kind) || kind === 'cut' || kind === 'timed_out' || code === 'ENOTCACHED';
};

/** npm names the cause in one line, `npm error code X` (before npm 10.6: `npm ERR! code X`). */
export function installFailure(
  outcome: ProcessOutcome,
  folder: string,
  again: OptionAdvice,
): TardigradeError {
  const failed = (message: string, hint: string): TardigradeError =>
    new TardigradeError('E_PROVIDER', message, hint, again);
  switch (outcome.kind) {
    case 'spawn_failed':
      return misuse(
        `npm could not be started: ${outcome.error ?? 'unknown reason'}`,
        'check that "npm --version" works, then try again',
        again,
      );
    case 'cancelled':
      return failed('the installation was stopped', 'try again');
    case 'timeout':
      return failed('npm did not finish within 20 minutes', 'check the connection, then try again');
    case 'exited':
      return (
        exitFailure(outcome, folder, again) ??
        failed(
          `npm failed with exit code ${outcome.exitCode ?? '?'}: ${saidIn(outcome.output)}`,
          'run "npm doctor" to see what is wrong with npm, then try again',
        )
      );
  }
}

/** The failure by its exit code; `null` if the code says too little. */
function exitFailure(
  { output }: ProcessOutcome,
  folder: string,
  again: OptionAdvice,
): TardigradeError | null {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? '';
  if (code === 'ENOSPC') {
    const full = `the disk with ${folder} is full; the engine needs about 200 MB while it is installed`;
    return new TardigradeError('E_DISK_FULL', full, 'make room, then try again', again);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const closed = `npm may not write into ${folder} (${code})`;
    return new TardigradeError('E_IO', closed, 'make it writable, then try again', again);
  }
  if (kindOfCode(code) === 'certificate') {
    const untrusted = `the certificate of npm's registry is not trusted (${code})`;
    return new TardigradeError('E_PROVIDER', untrusted, CERTIFICATE_HINT, again);
  }
  if (!isNoAnswer(code)) return null;
  const alone = `npm cannot reach its registry (${code})`;
  const hint = 'connect to the internet, or set the proxy npm needs, then try again';
  return new TardigradeError('E_PROVIDER', alone, hint, again);
}

function saidIn(output: string): string {
  const lines = output.split('\n').filter((line) => /^npm (?:error|ERR!)/.test(line));
  return (lines.length > 0 ? lines.slice(0, 3) : [output.trim().slice(-300)])
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/, ''))
    .join('; ');
}
