/**
 * Readers of the feed that wait: few of them, and none holds a place among requests, or a connection to the database,
 * meanwhile. A reading takes its turn as a list does.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problem } from '../../engine/index.ts';
import { type FeedPage, readFeed, type Start } from '../../store/feed.ts';
import type { FeedWatch } from '../../store/feed-watch.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import type { Limits } from '../admission/limits.ts';

/** A refused reader is told to wait so long. */
const PAUSE_SECONDS = 5;

export class FeedReaders {
  readonly watch: FeedWatch;
  readonly #admissionControl: AdmissionControl;
  readonly #limits: Limits;
  #count = 0;
  readonly #countByKey = new Map<string, number>();

  constructor(watch: FeedWatch, admissionControl: AdmissionControl, limits: Limits) {
    this.watch = watch;
    this.#admissionControl = admissionControl;
    this.#limits = limits;
  }

  /** Lets a reader wait, until it calls what this gives; or refuses, where too many wait. */
  enter({ requestContext: { keyName } }: FastifyRequest): (() => void) | Problem {
    const own = this.#countByKey.get(keyName) ?? 0;
    const { feedReadersMax, feedReadersPerKeyMax } = this.#limits;
    if (own >= feedReadersPerKeyMax) return refusal(`With this key ${own} readers wait for changes already`);
    if (this.#count >= feedReadersMax) return refusal(`${this.#count} readers wait for changes already`);
    this.#count += 1;
    this.#countByKey.set(keyName, own + 1);
    return () => {
      this.#count -= 1;
      const left = this.#countByKey.get(keyName)! - 1;
      if (left === 0) this.#countByKey.delete(keyName);
      else this.#countByKey.set(keyName, left);
    };
  }

  /** A page of the feed, and what is made of it, in one turn. */
  async read<T>(
    request: FastifyRequest,
    start: Start,
    make: (page: FeedPage | Problem) => Promise<T>,
  ): Promise<T | Problem> {
    const { resources, limit } = request.feed.listQuery;
    const made = await this.#admissionControl.withSlot(request, async () =>
      make(await readFeed(request.service, start, { resources, limit })),
    );
    return made ?? refusal('The server has too much to do now');
  }
}

function refusal(reason: string): Problem {
  return problem('service-unavailable', `${reason}; come again in ${PAUSE_SECONDS} seconds.`, {
    'retry-after': String(PAUSE_SECONDS),
  });
}

/** Ends when the client has gone. */
export function presenceOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
