/** Formats local times. A time in a foreign journal may be any number. */
const two = (value: number): string => String(value).padStart(2, '0');

/** `14:03:22`; `--:--:--` for anything but a time. */
export function clockTime(ms: number): string {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return '--:--:--';
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
}

/** `2026-11-22`; `----------` for anything but a time. */
export function calendarDay(ms: number): string {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return '----------';
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** `2026-11-22 14:03`. */
export const dayAndTime = (ms: number): string => `${calendarDay(ms)} ${clockTime(ms).slice(0, 5)}`;

/** `just now`, `10 min ago`, `3 h ago`, `5 d ago`; `some time ago` for anything but a time. */
export function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (!Number.isFinite(ms) || minutes < 0) return 'some time ago';
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
