/** A server's answer as text; everything else is described. Pure. */
import { isRecord } from '../../lib/json-value.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { failed, ok } from '../result.ts';

/** The parts of an answer that are used; servers send more. */
export interface Answer {
  readonly content?: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export function resultOf({ content = [], structuredContent, isError }: Answer): ToolResult {
  const parts = content.map(textOf);
  if (parts.length === 0 && structuredContent !== undefined)
    parts.push(JSON.stringify(structuredContent));
  const text = parts.join('\n') || 'The server answered nothing.';
  return isError === true ? failed(text) : ok(text);
}

function textOf(block: { readonly type: string; readonly [key: string]: unknown }): string {
  const { type, text, mimeType, data, resource, uri } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (isRecord(resource) && 'text' in resource) return String(resource.text);
  const bytes = typeof data === 'string' ? `, ${Math.floor((data.length * 3) / 4)} bytes` : '';
  const where = typeof uri === 'string' ? ` ${uri}` : '';
  return `[${type}${where}${typeof mimeType === 'string' ? ` ${mimeType}` : ''}${bytes}]`;
}
