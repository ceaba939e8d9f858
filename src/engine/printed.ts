/** A printable record: its content and order. The renderer decides on the layout. */
import type { Environment, Languages, ShownRecord } from './field.ts';
import type { Reads, Uses } from './rules.ts';

export interface Printed {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** Above the title. */
  readonly image?: PrintedImage | undefined;
  readonly blocks: readonly PrintedBlock[];
}

/** An image of the store, which becomes a part of the page. */
export interface PrintedImage {
  /** Name of the file in the image store. */
  readonly file: string;
  /** For people who cannot see it. */
  readonly description: string;
}

/** Plain text; `\n` begins a new line. */
export type PrintedBlock =
  | { readonly heading?: string; readonly lines: readonly string[] }
  | {
      readonly columns: readonly { readonly heading: string; readonly isNumber?: boolean }[];
      /** One cell per column. */
      readonly rows: readonly (readonly string[])[];
    };

/** Creates the printable page of a record. */
export interface PrintedPage<U extends Uses = Uses> {
  readonly uses: Uses;
  readonly page: (
    record: ShownRecord,
    reads: Reads<U>,
    context: Languages & { readonly environment: Environment },
  ) => Promise<Printed>;
}

/** Declares the printable page of a record and the fields that it uses. */
export function printedPage<const U extends Uses>(uses: U, page: PrintedPage<NoInfer<U>>['page']): PrintedPage {
  return { uses, page: page as PrintedPage['page'] };
}
