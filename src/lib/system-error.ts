/** Node's `code` of a failed system call, or ''. */
export function systemErrorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
