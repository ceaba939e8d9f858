/**
 * The sitemap and the product feeds, built when they are requested and then served until they are too old. During a rebuild
 * the last document is served. One document is built at a time, because each reads all products.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '../engine/index.ts';
import type { Feed } from './feed.ts';
import type { FeedName, FeedSettings } from './feed-settings.ts';
import { sourceIn } from './listed.ts';
import type { Sitemap } from './sitemap.ts';

interface Languages {
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
}

/** A built document. */
interface Built<T> {
  readonly content: T;
  /** Seconds since 1970. */
  readonly builtAt: number;
}

interface Entry {
  last: (Built<unknown> & { readonly folder: string }) | undefined;
  /** The build that requests from now on wait for, if they need a new document. */
  next: Promise<Built<unknown>> | undefined;
}

/** Documents of this many addresses of the server are stored. */
const ADDRESSES_MAX = 4;

export class ShopDocuments {
  readonly #settings: FeedSettings;
  readonly #entries = new Map<string, Entry>();
  #folder: Promise<string> | undefined;
  #building: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(settings: FeedSettings) {
    this.#settings = settings;
  }

  /** Whether the store has documents at all, and this feed. */
  has({ environment }: Service, feed?: string): boolean {
    const isOffered = feed === undefined || (this.#settings.feeds as readonly string[]).includes(feed);
    return isOffered && (environment.settings.shop_url ?? '') !== '';
  }

  get feeds(): readonly FeedName[] {
    return this.#settings.feeds;
  }

  sitemap(service: Service, { defaultLanguage, languages }: Languages): Promise<Built<Sitemap>> {
    return this.#document(service, 'sitemap', async (folder) => {
      // Loaded when needed, because most starts are followed by other requests.
      const { buildSitemap } = await import('./sitemap.ts');
      return buildSitemap(sourceIn(service, defaultLanguage, defaultLanguage), languages, folder);
    });
  }

  feed(service: Service, name: FeedName, language: string, { defaultLanguage }: Languages): Promise<Built<Feed>> {
    return this.#document(service, `${name} ${language}`, async (folder) => {
      const { buildFeed } = await import('./feed.ts');
      const path = join(folder, 'feed.xml.gz');
      return buildFeed(name, sourceIn(service, language, defaultLanguage), this.#settings, path);
    });
  }

  /** Removes all documents. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#building.catch(() => {});
    const folder = await this.#folder;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #document<T>(service: Service, name: string, build: (folder: string) => Promise<T>): Promise<Built<T>> {
    const { baseUrl, settings } = service.environment;
    const entry = this.#entryOf(`${baseUrl} ${settings.shop_url} ${name}`);
    const { last } = entry;
    const ageSeconds = last ? service.clock.now() - last.builtAt : Number.POSITIVE_INFINITY;
    const ageSecondsMax = this.#settings.minutes * 60;
    if (last && ageSecondsMax > 0 && ageSeconds < ageSecondsMax) return Promise.resolve(last as Built<T>);
    const rebuilt = this.#rebuild(service, entry, build);
    if (!last || ageSecondsMax === 0) return rebuilt;
    // A failed rebuild is repeated by the next request.
    rebuilt.catch(() => {});
    return Promise.resolve(last as Built<T>);
  }

  /** Requests that arrive before a build begins share it, so that each sees the state of its own time or later. */
  #rebuild<T>(service: Service, entry: Entry, build: (folder: string) => Promise<T>): Promise<Built<T>> {
    entry.next ??= this.#inTurn(async () => {
      entry.next = undefined;
      if (this.#isClosed) throw new Error('The server is stopping.');
      this.#folder ??= mkdtemp(join(tmpdir(), 'purveyor-documents-'));
      const folder = join(await this.#folder, randomUUID());
      await mkdir(folder);
      const builtAt = service.clock.now();
      try {
        const content = await build(folder);
        const before = entry.last?.folder;
        entry.last = { content, builtAt, folder };
        if (before !== undefined) await rm(before, { recursive: true, force: true });
        return entry.last;
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    });
    return entry.next as Promise<Built<T>>;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#building.catch(() => {}).then(work);
    this.#building = done;
    return done;
  }

  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key) ?? { last: undefined, next: undefined };
    // The most recently used key is the last one.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const addresses = new Set([...this.#entries.keys()].map((each) => each.split(' ', 1)[0]));
    const [oldest] = addresses;
    if (addresses.size > ADDRESSES_MAX)
      for (const [each, { last }] of this.#entries)
        if (each.startsWith(`${oldest} `)) {
          this.#entries.delete(each);
          if (last) void rm(last.folder, { recursive: true, force: true }).catch(() => {});
        }
    return entry;
  }
}
