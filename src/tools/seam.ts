import { thrownText } from '../lib/callback.ts';
import { TardigradeError } from '../lib/errors.ts';
import { errorCode, isDiskFull, isExhausted, storageError } from '../lib/files/durable-files.ts';
import type { ToolResult } from '../schema/actions.ts';
import { diskFull } from '../workspace/files.ts';
import type { Tool } from './contract.ts';
import { refusalWords } from './files/change-files.ts';
import { failed } from './result.ts';

/** A start that could not be recorded; its cause is the error that is thrown. */
export class NotLogged extends Error {}

/** The only place where an exception inside a tool becomes a result. */
export async function seam<Value>(
  tool: Tool,
  { onInternalError }: { onInternalError?(error: unknown): void },
  work: () => Promise<Value>,
): Promise<Value | ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotLogged) throw error.cause;
    if (error instanceof TardigradeError) throw error;
    if (isDiskFull(error)) throw diskFull(error);
    if (isExhausted(error)) throw storageError(error, `running ${tool.name}`);
    const code = errorCode(error);
    if (code === 'EIO' && tool.afterCrash === 'compare_files')
      throw storageError(error, `running ${tool.name}`);
    if (error instanceof Error && error.name === 'AbortError')
      return failed('Cancelled.', 'cancelled');
    if (code !== '') return failed(`${tool.name} failed: ${refusalWords(code)}.`);
    onInternalError?.(error);
    return failed(`${tool.name} failed inside: ${thrownText(error)}. Try another way.`);
  }
}
