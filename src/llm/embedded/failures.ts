/** Pure: maps failures of the engine process to our statuses, with a next step. */
import type { MessageProcessExit } from '../../processes/message-process.ts';
import { modelFault, ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';
import type { EngineFailure } from './protocol.ts';

export const SETUP = { command: ['setup', 'embedded'] } as const;

export function failureError(failure: EngineFailure, message: string, file: string): ProviderError {
  switch (failure) {
    case 'context_overflow':
      return new ProviderError(overflowStatus(message), message, '');
    case 'engine_broken':
      return modelFault(
        `The embedded engine does not start: ${message}`,
        'Install it again',
        SETUP,
      );
    case 'model_unreadable':
      return modelFault(
        `The engine cannot load ${file}: ${message}`,
        'Use another GGUF file, or download this one again.',
      );
    case 'out_of_memory':
      return modelFault(
        `There is not enough memory for ${file}: ${message}`,
        'Close other programs, or use a smaller model or context window.',
      );
    case 'turn_failed':
      return new ProviderError(
        { kind: 'model_error', retryable: true },
        `The embedded engine failed: ${message}`,
        '',
      );
  }
}

/** The engine process ended during a turn: a native crash, or somebody killed it. */
export function exitError(exit: MessageProcessExit): ProviderError {
  const how =
    exit.signal !== null
      ? `was ended by ${exit.signal}`
      : exit.exitCode !== null
        ? `ended with exit code ${exit.exitCode}`
        : 'could not be started';
  const lastLine = exit.detail.split('\n').at(-1)?.trim() ?? '';
  return new ProviderError(
    { kind: 'model_error', retryable: true },
    `The embedded engine ${how}${lastLine === '' ? '' : `: ${lastLine}`}`,
    '',
  );
}
