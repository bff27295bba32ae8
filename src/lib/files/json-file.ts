import type * as z from 'zod';
import { fitting, jsonIn } from '../json-value.ts';
import { orNull } from '../or-null.ts';
import { readFileIfPresent } from './durable-files.ts';
import type { FileSystem } from './file-system.ts';

/** The JSON in a file, unchecked; `undefined` for a file that is missing, unreadable or not JSON. */
export const jsonInFile = (fs: FileSystem, path: string): unknown =>
  jsonIn(orNull(() => readFileIfPresent(fs, path)?.toString('utf8')) ?? '');

/** The content of a file that fits a schema; `null` for any other. */
export const readFileAs = <Content>(
  fs: FileSystem,
  path: string,
  schema: z.ZodType<Content>,
): Content | null => fitting(jsonInFile(fs, path), schema);
