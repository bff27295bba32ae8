/** Times as a clock on the wall shows them. Of a journal from elsewhere a time may be any number. */
const two = (value: number): string => String(value).padStart(2, '0');

/** `14:03:22`; `--:--:--` for what is no time. */
export function clockTime(ms: number): string {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return '--:--:--';
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
}

/** `2026-11-22`; `----------` for what is no time. */
export function calendarDay(ms: number): string {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return '----------';
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** `2026-11-22 14:03`. */
export const dayAndTime = (ms: number): string => `${calendarDay(ms)} ${clockTime(ms).slice(0, 5)}`;
