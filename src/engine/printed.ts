/** A printable record: its content and order. The renderer decides on the layout. */

export interface Printed {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly blocks: readonly PrintedBlock[];
}

/** Plain text; `\n` begins a new line. */
export type PrintedBlock =
  | { readonly heading?: string; readonly lines: readonly string[] }
  | {
      readonly columns: readonly { readonly heading: string; readonly isNumber?: boolean }[];
      /** One cell per column. */
      readonly rows: readonly (readonly string[])[];
    };
