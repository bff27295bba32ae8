/** The body of a response, with limits and a notification of its end. */

/** Bytes of one answer, or of one event of a stream. */
const MOST_AT_ONCE = 16 * 1024 * 1024;
/** Bytes of a stream that stays open beside the calls. */
const MOST_IN_ALL = 128 * 1024 * 1024;

const LINE_END = 10;

/** @param onEnd called once, however it ends; not if the reader no longer wants it */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const most = isStream ? MOST_IN_ALL : MOST_AT_ONCE;
  let all = 0;
  let inLine = 0;
  const isTooLong = (chunk: Uint8Array): boolean => {
    const end = chunk.lastIndexOf(LINE_END);
    all += chunk.length;
    inLine = end < 0 ? inLine + chunk.length : chunk.length - end;
    return all > most || inLine > MOST_AT_ONCE;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done && isTooLong(value)) throw new Error('it sends more than any answer has');
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        void reader.cancel(error).catch(() => {});
        controller.error(error);
      }
      onEnd();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
