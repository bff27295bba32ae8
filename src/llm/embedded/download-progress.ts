/** Pure: the progress of a download, and its line for a person. */
import { bytesText } from '../../lib/text/bytes-text.ts';
import type { HubFile } from './hub-file.ts';

export type DownloadProgress =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'bytes'; readonly done: number; readonly total: number }
  | { readonly kind: 'checking'; readonly hasSha256: boolean }
  | { readonly kind: 'interrupted'; readonly why: string; readonly waitMs: number }
  | { readonly kind: 'anew'; readonly why: string };

/** Called for every block of bytes; the listener decides how often to report. */
export type OnDownload = (file: HubFile, progress: DownloadProgress) => void;

/** `speed` is in bytes per second, 0 while unknown. */
export function progressLine(file: HubFile, progress: DownloadProgress, speed: number): string {
  const name = file.file.split('/').at(-1) ?? file.file;
  switch (progress.kind) {
    case 'waiting':
      return `another process is downloading ${name}: waiting for it`;
    case 'bytes':
      return `${name}: ${bytesText(progress, speed)}`;
    case 'checking':
      return progress.hasSha256
        ? `${name}: checking its SHA-256`
        : `${name}: checking its size (the server names no SHA-256)`;
    case 'interrupted':
      return `${progress.why}: going on in ${Math.ceil(progress.waitMs / 1000)} s`;
    case 'anew':
      return `what was there of ${name} is damaged (${progress.why}): once more from its start`;
    default:
      return progress satisfies never;
  }
}
