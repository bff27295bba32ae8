// Describes the progress of a download for people. Pure.

const MEGABYTE = 1_000_000;

/** `34 % of 1322 MB, 20.0 MB/s, 44 s left`. `speed` is in bytes a second, 0 if unknown. */
export function bytesText(
  { done, total }: { readonly done: number; readonly total: number },
  speed: number,
): string {
  const percent = total > 0 ? Math.floor((100 * done) / total) : 100;
  const far = `${percent} % of ${Math.ceil(total / MEGABYTE)} MB`;
  if (speed <= 0) return far;
  const seconds = Math.ceil((total - done) / speed);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${far}, ${(speed / MEGABYTE).toFixed(1)} MB/s, ${left} left`;
}
