/**
 * Shows how far an import is: a bar on a terminal, now and then a plain line elsewhere. On the error output, so that
 * the report can be sent to a file.
 */
import { SingleBar } from 'cli-progress';
import type { Progress } from './run.ts';

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Leaves the terminal as it was. */
  end(): void;
}

export function progressDisplay(stream: NodeJS.WritableStream & { isTTY?: boolean }): ProgressDisplay {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WritableStream): ProgressDisplay {
  const single = new SingleBar({
    stream,
    format: '{bar} {value} of {total} products, {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    show({ productsDone, productsTotal }) {
      if (!started) single.start(productsTotal, 0);
      started = true;
      single.update(productsDone);
    },
    end: () => single.stop(),
  };
}

const PRODUCTS_PER_LINE = 50;

function lines(stream: NodeJS.WritableStream): ProgressDisplay {
  return {
    show({ productsDone, productsTotal }) {
      if (productsDone % PRODUCTS_PER_LINE === 0 || productsDone === productsTotal) {
        stream.write(`${productsDone} of ${productsTotal} products\n`);
      }
    },
    end: () => {},
  };
}
