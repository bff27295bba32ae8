/** Converts the body of a page to text. */
import { orNull } from '../../lib/or-null.ts';
import { cutAtCharacter, decodeText } from '../../workspace/text-encoding.ts';

const TEXT_TYPES = /^text\/|[/+](?:json|xml)$/;
/** Types of program data, which may be text; the bytes decide. */
const OPEN_TYPES = /^application\/|^$/;
const HTML_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/;

/** `null`: not text. @param contentType as the server states it; empty if it does not */
export async function pageText(
  body: Buffer,
  contentType: string,
  address: URL,
): Promise<string | null> {
  const type = mediaTypeOf(contentType);
  const isText = TEXT_TYPES.test(type) || (OPEN_TYPES.test(type) && isPlainText(body));
  if (!isText) return null;
  const isHtml =
    type === '' ? /^\s*<(?:!doctype|html)/i.test(body.toString('latin1')) : HTML_TYPES.test(type);
  const text = decode(body, contentType, isHtml);
  if (!isHtml) return text;
  // Loaded on use, because few runs read a page.
  const { htmlText } = await import('./html-text.ts');
  return htmlText(text, address);
}

export const mediaTypeOf = (contentType: string): string =>
  (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const SNIFFED = 1024;

function isPlainText(body: Buffer): boolean {
  const decoded = decodeText(cutAtCharacter(body));
  return decoded.kind === 'text' && decoded.encoding !== 'latin1';
}

/** A byte order mark takes precedence, then the server's charset, then the page's own. */
function decode(body: Buffer, contentType: string, isHtml: boolean): string {
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le').decode(body);
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be').decode(body);
  const [, said = ''] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType) ?? [];
  const head = isHtml ? body.toString('latin1', 0, SNIFFED) : '';
  const [, own = ''] = /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head) ?? [];
  // The charset may be an unknown one.
  const decoder = orNull(() => new TextDecoder(said || own)) ?? new TextDecoder('utf-8');
  return decoder.decode(body);
}
