/** Names of the options of each method. An unknown option is an error, because ignoring it would hide a mistake. */
import type { ClientOptions } from './connection.ts';
import type { FollowOptions, OnChange } from './follow.ts';
import type {
  BulkOptions,
  DryRunOptions,
  ExportOptions,
  GetOptions,
  PageOptions,
  PathOf,
  PostOptions,
  ReadOptions,
  WriteOptions,
} from './shapes.ts';

/** The compiler checks that the names are complete. */
type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

const REQUEST = { language: true, signal: true } as const;

const read: NamesOf<ReadOptions<unknown>> = { ...REQUEST, ifNoneMatch: true };
const get: NamesOf<GetOptions<unknown>> = { ...read, filter: true };
const write: NamesOf<WriteOptions> = { ...REQUEST, ifMatch: true };
const post: NamesOf<PostOptions & DryRunOptions> = { ...write, idempotencyKey: true, dryRun: true };
const page: NamesOf<PageOptions<PathOf<'list'>>> = {
  ...read,
  ...{ filter: true, order: true, itemsPerPage: true, page: true },
};
const { ifNoneMatch: _, page: __, ...list } = page;
const bulk: NamesOf<BulkOptions> = {
  ...REQUEST,
  ...{ key: true, mode: true, write: true, past: true, atomic: true, dryRun: true },
};
const lines: NamesOf<ExportOptions<PathOf<'list'>>> = { ...REQUEST, filter: true };
const follow: NamesOf<FollowOptions & OnChange> = {
  ...REQUEST,
  ...{ since: true, resources: true, withRecords: true, limit: true, onChange: true },
};
const client: NamesOf<ClientOptions> = {
  ...{ baseUrl: true, key: true, language: true },
  ...{ retriesMax: true, firstWaitSeconds: true, waitSecondsMax: true, attemptSecondsMax: true },
};

const NAMES = {
  ...{ bulk, createClient: client, delete: write, export: lines, follow, get, list, page },
  ...{ patch: write, post, put: write },
};

export type OptionsOwner = keyof typeof NAMES;

/** @throws {TypeError} if there is an unknown option */
export function rejectUnknownOptions(owner: OptionsOwner, options: object): void {
  rejectUnknownNames(owner, Object.keys(NAMES[owner]), options);
}

/** @throws {TypeError} if there is an option with another name */
export function rejectUnknownNames(owner: string, names: readonly string[], options: object): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`Unknown option “${unknown}” of ${owner}. Valid options: ${names.join(', ')}.`);
}
