/** Pure: turns a failure of npm into an error with a next step. */

import { misuse, type OptionAdvice, TardigradeError } from '../../lib/errors.ts';
import type { ProcessOutcome } from '../../processes/contract.ts';
import { isOffline, kindOfCode } from '../http/network-failures.ts';

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
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(outcome.output)?.[1] ?? '';
  switch (outcome.kind) {
    case 'spawn_failed':
      return misuse(
        `npm could not be started: ${outcome.error ?? 'unknown reason'}`,
        'check that "npm --version" works, then try again',
        again,
      );
    case 'cancelled':
      return new TardigradeError('E_PROVIDER', 'the installation was stopped', 'try again', again);
    case 'timeout':
      return new TardigradeError(
        'E_PROVIDER',
        'npm did not finish within 20 minutes',
        `check the connection, then try again`,
        again,
      );
    case 'exited':
      return exitFailure(code, outcome, folder, again);
  }
}

function exitFailure(
  code: string,
  outcome: ProcessOutcome,
  folder: string,
  again: OptionAdvice,
): TardigradeError {
  if (code === 'ENOSPC') {
    return new TardigradeError(
      'E_DISK_FULL',
      `the disk with ${folder} is full; the engine needs about 200 MB while it is installed`,
      `make room, then try again`,
      again,
    );
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new TardigradeError(
      'E_IO',
      `npm may not write into ${folder} (${code})`,
      `make it writable, then try again`,
      again,
    );
  }
  if (isNoAnswer(code)) {
    return new TardigradeError(
      'E_PROVIDER',
      `npm cannot reach its registry (${code})`,
      `connect to the internet, or set the proxy npm needs, then try again`,
      again,
    );
  }
  const lines = outcome.output.split('\n').filter((line) => /^npm (?:error|ERR!)/.test(line));
  const said = (lines.length > 0 ? lines.slice(0, 3) : [outcome.output.trim().slice(-300)])
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/, ''))
    .join('; ');
  return new TardigradeError(
    'E_PROVIDER',
    `npm failed with exit code ${outcome.exitCode ?? '?'}: ${said}`,
    `run "npm doctor" to see what is wrong with npm, then try again`,
    again,
  );
}
