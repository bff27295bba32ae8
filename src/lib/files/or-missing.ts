import { errorCode } from './durable-files.ts';

/** What is read; `null` if there is no such file. */
export function orMissing<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return null;
  }
}
