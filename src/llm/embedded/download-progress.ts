/** What a download tells of itself, and as a line for a person. Pure. */
import type { HubFile } from './hub-file.ts';

export type DownloadProgress =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'bytes'; readonly done: number; readonly total: number }
  | { readonly kind: 'checking'; readonly hasSha256: boolean }
  | { readonly kind: 'interrupted'; readonly why: string; readonly waitMs: number }
  | { readonly kind: 'anew'; readonly why: string };

/** Told of every block of bytes; the listener decides how often a person hears of it. */
export type OnDownload = (file: HubFile, progress: DownloadProgress) => void;

const MEGABYTE = 1_000_000;

/** `speed` is in bytes a second, 0 while it is not known. */
export function progressLine(file: HubFile, progress: DownloadProgress, speed: number): string {
  const name = file.file.split('/').at(-1) ?? file.file;
  switch (progress.kind) {
    case 'waiting':
      return `another process is downloading ${name}: waiting for it`;
    case 'bytes':
      return `${name}: ${bytesText(progress.done, progress.total)}${speedText(progress, speed)}`;
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

function bytesText(done: number, total: number): string {
  const percent = Math.floor((100 * done) / total);
  return `${percent} % of ${Math.ceil(total / MEGABYTE)} MB`;
}

function speedText({ done, total }: { done: number; total: number }, speed: number): string {
  if (speed <= 0) return '';
  const seconds = Math.ceil((total - done) / speed);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `, ${(speed / MEGABYTE).toFixed(1)} MB/s, ${left} left`;
}
