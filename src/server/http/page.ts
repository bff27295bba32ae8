/** Serves the files of the page, which lie beside the program. */
import type { ServerResponse } from 'node:http';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';

/** Allows only its own files, no other server, and no frame around the page. */
const POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"],
].join('; ');

export const SAFE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const TYPES: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json',
};

const NOTICE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tardigrade</title>
<h1>Tardigrade</h1><p>The server works. This build has no page: use the API (<a href="/openapi.json">/openapi.json</a>)
or the commands of agent.</p></html>
`;

/** False if it is not one of the page's files: a name is a single segment without a folder. */
export function servePage(
  response: ServerResponse,
  path: string,
  { fs, folder }: { readonly fs: FileSystem; readonly folder: string },
): boolean {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const [, ending = ''] = /^[\w-]+(?:\.[\w-]+)*\.([a-z]+)$/.exec(name) ?? [];
  const type = TYPES[ending];
  if (type === undefined) return false;
  const found = readFileIfPresent(fs, pathsOf(fs.platform).join(folder, name));
  const bytes = found ?? (path === '/' ? Buffer.from(NOTICE) : null);
  if (bytes === null) return false;
  response.writeHead(200, {
    ...SAFE_HEADERS,
    'Content-Type': type,
    'Content-Length': bytes.length,
    'Cache-Control': 'no-cache',
  });
  response.end(bytes);
  return true;
}
