/** Pure: turns the failure of a download into an error with a next step. */
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { CERTIFICATE_HINT, networkFailure } from '../http/network-failures.ts';
import { ProviderError } from '../provider.ts';

/** A failure that may pass: the connection broke, or the server is busy. */
export class Interruption extends Error {
  override readonly name = 'Interruption';

  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

const provider = (message: string, hint: string, cause?: unknown): ProviderError =>
  new ProviderError({ kind: 'network_error', retryable: true }, message, hint, { cause });

export function unreachable(host: string, kept: number, cause: unknown): ProviderError {
  const { code, kind } = networkFailure(cause);
  const way =
    kind === 'certificate'
      ? CERTIFICATE_HINT
      : 'connect to the internet, or set HF_ENDPOINT to a mirror';
  return provider(
    `${host} cannot be reached${code === '' ? '' : ` (${code})`}`,
    `${way}; ${again(kept)}`,
    cause,
  );
}

export const gaveUp = (host: string, why: string, kept: number): ProviderError =>
  provider(`the download from ${host} broke off too often: ${why}`, again(kept));

const again = (kept: number): string =>
  kept > 0
    ? 'what is here is kept: the same command goes on with it'
    : 'then give the same command again';

export const downloadStopped = (cause: unknown): ProviderError =>
  new ProviderError(
    { kind: 'aborted' },
    'the download was stopped',
    'what is here is kept: the same command goes on with it',
    { cause },
  );

/** What Hugging Face says in `x-error-code`, with the status. */
export interface DownloadRefusal {
  readonly status: number;
  readonly code: string;
  /** As shown to people: `OWNER/REPO`. */
  readonly repository: string;
  readonly file: string;
  readonly host: string;
  readonly hasToken: boolean;
  readonly retryAfterMs: number | null;
}

export function refusal(refused: DownloadRefusal): Error {
  const { status, code, repository, file, host, hasToken } = refused;
  const usage = (message: string, hint: string) => misuse(message, hint);
  if (status === 429 || status >= 500)
    return new Interruption(`${host} answered with status ${status}`, refused.retryAfterMs);
  if (code === 'EntryNotFound') {
    return usage(
      `${repository} on ${host} has no file ${file}`,
      `look for its GGUF files on the page of ${repository}`,
    );
  }
  if (code === 'GatedRepo' || status === 403) {
    return usage(
      `${repository} on ${host} is open only to those who accepted its terms`,
      hasToken
        ? 'accept them on its page with the account of HF_TOKEN, then try again'
        : 'accept them on its page, then set HF_TOKEN to a token of that account',
    );
  }
  if (status === 401 || status === 404) {
    return usage(
      `${host} knows no repository ${repository}${status === 404 ? ` with a file ${file}` : ''}`,
      hasToken
        ? 'check its name, and that HF_TOKEN is valid and may read it'
        : 'check its name; a private one needs HF_TOKEN',
    );
  }
  return provider(`${host} answered with status ${status}`, 'try again later');
}

export const noRoom = (needed: number, free: number, folder: string): TardigradeError =>
  new TardigradeError(
    'E_DISK_FULL',
    `${megabytes(needed)} MB are still to download, but the disk with ${folder} has ${megabytes(free)} MB free`,
    'make room, then give the same command again',
  );

export const damaged = (host: string, file: string, why: string): ProviderError =>
  provider(
    `what ${host} sent as ${file} is not the file it promised: ${why}; it was thrown away`,
    'try again later, or with another HF_ENDPOINT',
  );

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);
