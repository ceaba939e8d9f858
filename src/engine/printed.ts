/** A record as a page to print: what stands on it and in which order. How it looks is for those who write the page. */

export interface Printed {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly blocks: readonly PrintedBlock[];
}

/** Plain text throughout; `\n` begins a new line. */
export type PrintedBlock =
  | { readonly heading?: string; readonly lines: readonly string[] }
  | {
      readonly columns: readonly { readonly heading: string; readonly isNumber?: boolean }[];
      /** A cell for each column. */
      readonly rows: readonly (readonly string[])[];
    };
