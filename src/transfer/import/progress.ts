/** Progress display on stderr: a bar on a terminal, otherwise an occasional line. The report on stdout stays separate. */
import { MultiBar } from 'cli-progress';
import type { Progress } from './run.ts';

interface ProgressDisplay<P> {
  show(progress: P): void;
  /** Writes to the same terminal above the bar. */
  above(write: () => void): void;
  /** Restores the terminal. */
  end(): void;
}

/** How to count and format a kind of progress. */
export interface Measure<P> {
  done(progress: P): number;
  total(progress: P): number;
  /** Format of the bar: `{value}`, `{total}`, `{percentage}`, `{eta_formatted}` and the fields of the progress. */
  readonly bar: string;
  /** Returns a line of text if one is due. */
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

/** Progress display of a product import. */
export function progressDisplay(stream: ErrorOutput): ProgressDisplay<Progress> {
  return measuredDisplay(stream, PRODUCTS);
}

export function measuredDisplay<P extends object>(stream: ErrorOutput, measure: Measure<P>): ProgressDisplay<P> {
  return stream.isTTY ? bar(stream, measure) : lines(stream, measure);
}

const DRAW_MILLISECONDS_MIN = 100;
const CLEAR_LINE = '\r\x1b[2K';

function bar<P extends object>(stream: NodeJS.WritableStream, { bar: format, done, total }: Measure<P>) {
  // Only the bars of a group tolerate that the report moves the cursor.
  const group = new MultiBar({
    stream,
    format,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    emptyOnZero: true,
    forceRedraw: true,
    // Lines of the report may be wider than the terminal.
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
      // The library's timer does not fire while SQLite blocks the thread, so the bar is redrawn here.
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
