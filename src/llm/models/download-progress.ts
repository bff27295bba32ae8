/** A sentence that is said once, or the bytes of one part: a model can have several, and each arrives by itself. */
export type DownloadProgress =
  | string
  | {
      readonly name: string;
      readonly part: string;
      readonly done: number;
      readonly total: number;
    };

/** Called for every block of bytes; the listener decides how often to report. */
export type OnDownload = (progress: DownloadProgress) => void;
