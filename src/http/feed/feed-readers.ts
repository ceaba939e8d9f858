/**
 * Limits the readers that wait for changes or read a large page. While they wait, they hold neither a slot nor a database
 * connection. Each read of the feed takes a list slot.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problem } from '../../engine/index.ts';
import { type FeedPage, readFeed, type Start } from '../../store/feed.ts';
import type { FeedWatch } from '../../store/feed-watch.ts';
import { readableResources } from '../../store/readable-changes.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import type { Limits } from '../admission/limits.ts';

/** `Retry-After` of rejected readers. */
const RETRY_SECONDS = 5;

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

  /**
   * Registers a reader that waits, or whose response is built while the client reads it.
   * @param atLeast number of readers that are always allowed, even if the limits are lower
   * @returns a function that unregisters it, or a 503 if there are too many
   */
  enter({ requestContext: { keyName } }: FastifyRequest, atLeast = 0): (() => void) | Problem {
    const own = this.#countByKey.get(keyName) ?? 0;
    const feedReadersMax = Math.max(this.#limits.feedReadersMax, atLeast);
    const feedReadersPerKeyMax = Math.max(this.#limits.feedReadersPerKeyMax, atLeast);
    if (own >= feedReadersPerKeyMax) return rejection(`This key already has ${own} waiting readers of changes`);
    if (this.#count >= feedReadersMax)
      return rejection(`The server already has ${this.#count} waiting readers of changes`);
    this.#count += 1;
    this.#countByKey.set(keyName, own + 1);
    return () => {
      this.#count -= 1;
      const left = this.#countByKey.get(keyName)! - 1;
      if (left === 0) this.#countByKey.delete(keyName);
      else this.#countByKey.set(keyName, left);
    };
  }

  /** Reads a page of up to `limit` entries of the feed and renders it, in one slot. */
  async read<T>(
    request: FastifyRequest,
    start: Start,
    limit: number,
    make: (page: FeedPage | Problem) => Promise<T>,
  ): Promise<T | Problem> {
    const { service, requestContext, feed } = request;
    const resources = readableResources(service.model, feed.listQuery.resources, requestContext.rights.hidden);
    const made = await this.#admissionControl.withSlot(request, async () =>
      make(await readFeed(request.service, start, { resources, limit })),
    );
    return made ?? rejection('The server is overloaded');
  }
}

function rejection(reason: string): Problem {
  return problem('service-unavailable', `${reason}. Retry in ${RETRY_SECONDS} seconds.`, {
    'retry-after': String(RETRY_SECONDS),
  });
}

/** A signal that aborts when the client disconnects. */
export function presenceOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
