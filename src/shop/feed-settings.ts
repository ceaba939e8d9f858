/** Settings of the documents for search engines and marketplaces. */

export const FEED_NAMES = ['google', 'facebook'] as const;

export type FeedName = (typeof FEED_NAMES)[number];

export interface FeedSettings {
  readonly feeds: readonly FeedName[];
  /** Identifiers of global attributes by purpose; 0 is none. */
  readonly attributes: Readonly<Record<'brand' | 'gtin' | 'mpn' | 'category', number>>;
  /** Maximum age of a document; 0: it is built for each request. */
  readonly minutes: number;
  readonly backorderDays: number;
}
