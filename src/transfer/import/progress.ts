/**
 * Shows how far an import is: a bar on a terminal, now and then a plain line elsewhere. On the error output, so that
 * the report can be sent to a file.
 */
import { MultiBar } from 'cli-progress';
import type { Progress } from './run.ts';

interface ProgressDisplay<P> {
  show(progress: P): void;
  /** Lets something be written to the same terminal; the bar moves on below it. */
  above(write: () => void): void;
  /** Leaves the terminal as it was. */
  end(): void;
}

/** The counts of an import, and their wording. */
export interface Measure<P> {
  done(progress: P): number;
  total(progress: P): number;
  /** The bar and what stands beside it: `{value}`, `{total}`, `{percentage}`, `{eta_formatted}` or the progress's own. */
  readonly bar: string;
  /** A plain line, where it is time for one. */
  line(progress: P): string | undefined;
}

type ErrorOutput = NodeJS.WritableStream & { isTTY?: boolean };

const PRODUCTS_PER_LINE = 50;

const PRODUCTS: Measure<Progress> = {
  done: ({ productsDone }) => productsDone,
  total: ({ productsTotal }) => productsTotal,
  bar: '{bar} {value} of {total} products, {eta_formatted} left',
  line: ({ productsDone: done, productsTotal: total }) =>
    done % PRODUCTS_PER_LINE === 0 || done === total ? `${done} of ${total} products` : undefined,
};

/** For an import that counts products. */
export function progressDisplay(stream: ErrorOutput): ProgressDisplay<Progress> {
  return measuredDisplay(stream, PRODUCTS);
}

export function measuredDisplay<P extends object>(stream: ErrorOutput, measure: Measure<P>): ProgressDisplay<P> {
  return stream.isTTY ? bar(stream, measure) : lines(stream, measure);
}

const DRAW_MILLISECONDS_MIN = 100;
const CLEAR_LINE = '\r\x1b[2K';

function bar<P extends object>(stream: NodeJS.WritableStream, { bar: format, done, total }: Measure<P>) {
  // Of the library's bars only those of a group leave the cursor where others have moved it.
  const group = new MultiBar({
    stream,
    format,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    emptyOnZero: true,
    forceRedraw: true,
    // Lines of the report may be longer than the terminal is wide.
    linewrap: true,
  });
  let single: ReturnType<MultiBar['create']> | undefined;
  let drawnAt = 0;
  const draw = (): void => {
    drawnAt = performance.now();
    group.update();
  };
  return {
    show(progress: P) {
      single ??= group.create(total(progress), 0, progress);
      single.update(done(progress), progress);
      // The library's timer waits as long as an embedded database keeps the thread busy.
      const isDue = performance.now() - drawnAt >= DRAW_MILLISECONDS_MIN;
      if (isDue || done(progress) === total(progress)) draw();
    },
    above(write: () => void) {
      if (single) stream.write(CLEAR_LINE);
      write();
      if (single) draw();
    },
    end() {
      if (single) group.stop();
      single = undefined;
    },
  };
}

function lines<P>(stream: NodeJS.WritableStream, { line }: Measure<P>): ProgressDisplay<P> {
  return {
    show(progress) {
      const text = line(progress);
      if (text !== undefined) stream.write(`${text}\n`);
    },
    above: (write) => write(),
    end: () => {},
  };
}
