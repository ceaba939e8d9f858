/** Lines of JSON to and from the store: a bulk sends them a request at a time, an export reads them as they are used up. */
import type { BulkOptions, Path } from './shapes.ts';
import type { BulkResultOutput } from './types.ts';
export declare const LINES_TYPE = "application/x-ndjson";
/** The lines of one request, as text. */
interface Part {
    readonly text: string;
    readonly count: number;
}
/** Lines as requests, each no sooner than the one before is used up. @param isOne all of them are one request */
export declare function partsOf(lines: AsyncIterable<unknown> | Iterable<unknown>, isOne: boolean): AsyncGenerator<Part>;
/** The results of one request; undefined where the answer was cut off. */
export declare function resultsIn(text: string): BulkResultOutput[] | undefined;
export declare function bulkAddress(path: Path, { key, mode, write, atomic, dryRun }: BulkOptions): string;
/** Whether a line that is written twice leaves what it leaves when it is written once. */
export declare function isRepeatable(path: Path, { mode }: BulkOptions): boolean;
/** The values of an answer, line by line as it comes. @throws {Error} where it was cut off */
export declare function valuesIn(body: ReadableStream<Uint8Array>, total: number): AsyncGenerator<never>;
export {};
