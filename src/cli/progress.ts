/**
 * Shows how far long work is: a bar on a terminal, now and then a plain line elsewhere. On the error output, so that
 * what the work reports can be sent to a file.
 */
import { SingleBar } from 'cli-progress';

export interface Progress {
  show(done: number, total: number): void;
  /** Leaves the terminal as it was. */
  end(): void;
}

/** Where a report goes, and where failures and progress: as `process` has them. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

/** @param unit what is counted, in the plural */
export function showProgress(stream: Terminal['stderr'], unit: string, unitsPerLine: number): Progress {
  return stream.isTTY ? bar(stream, unit) : lines(stream, unit, unitsPerLine);
}

function bar(stream: NodeJS.WritableStream, unit: string): Progress {
  const single = new SingleBar({
    stream,
    format: `{bar} {value} of {total} ${unit}, {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    show(done, total) {
      if (!started) single.start(total, 0);
      started = true;
      single.update(done);
    },
    end: () => single.stop(),
  };
}

function lines(stream: NodeJS.WritableStream, unit: string, unitsPerLine: number): Progress {
  return {
    show(done, total) {
      if (done % unitsPerLine === 0 || done === total) stream.write(`${done} of ${total} ${unit}\n`);
    },
    end: () => {},
  };
}
