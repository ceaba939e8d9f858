/** Limits of requests and connections. Each is a setting (`wiring/settings/limits.ts`). */
export interface Limits {
  /** Requests per key; 0 disables the limit. */
  readonly rateLimitPerMinute: number;
  /** Wrong keys per address; 0 disables the limit. */
  readonly failedKeysPerMinute: number;
  /** Wrong secrets per address and per record; 0 disables the limit. */
  readonly failedLoginsPerMinute: number;
  /** Reads of shoppers per address; 0 disables the limit. */
  readonly shopReadsPerMinute: number;
  /** Writes of shoppers per address; 0 disables the limit. */
  readonly shopWritesPerMinute: number;
  /** Requests of shoppers per publishable key; 0 disables the limit. */
  readonly shopKeyPerMinute: number;

  readonly addressBytesMax: number;
  /** Names and values together. */
  readonly headerBytesMax: number;
  readonly headersMax: number;

  /** Time until the headers are complete. */
  readonly headersSecondsMax: number;
  /** Time from the headers until a JSON body is complete. */
  readonly bodySecondsMax: number;
  /** Time from its slot until a body with an image is complete. */
  readonly uploadSecondsMax: number;
  /** Time until the whole request is complete, waiting included. */
  readonly requestSecondsMax: number;
  /** Time without a request on a connection. */
  readonly keepAliveSecondsMax: number;
  /** Time without the client reading from the response. */
  readonly stalledSecondsMax: number;
  /** Bytes of all responses that were handed to a connection and not sent yet; 0 disables the limit. */
  readonly responseBacklogBytesMax: number;
  /** 0 disables the limit. */
  readonly connectionsMax: number;
  /** The connection is closed after this many requests; 0 disables the limit. */
  readonly requestsPerConnectionMax: number;

  /** Concurrent work of each kind; 0 disables the limit. */
  readonly readsAtOnceMax: number;
  readonly listsAtOnceMax: number;
  readonly writesAtOnceMax: number;
  readonly uploadsAtOnceMax: number;
  /** Maximum expected wait of a read, list or write; 0 disables the limit. */
  readonly waitMsMax: number;
  /** Waiting requests of each kind of work except uploads. */
  readonly requestsWaitingMax: number;
  /** Waiting readers of the change feed, of all keys and of each. */
  readonly feedReadersMax: number;
  readonly feedReadersPerKeyMax: number;
  readonly uploadsWaitingMax: number;

  readonly bulksAtOnceMax: number;
  /** Time until a whole bulk has arrived and is written. */
  readonly bulkSecondsMax: number;
  /** Time without the client of a bulk sending or reading. */
  readonly bulkStalledSecondsMax: number;
  /** Results on disk that the client has not read. */
  readonly bulkUnreadBytesMax: number;

  readonly exportsAtOnceMax: number;
  /** Time until a whole export is sent: it holds a database snapshot open. */
  readonly exportSecondsMax: number;
  /** Time without the client of an export reading. */
  readonly exportStalledSecondsMax: number;
}
