/** How much the door lets through, and how long it waits for it. Each is a setting (`wiring/config.ts`). */
export interface Limits {
  /** Requests of one key; 0 is no limit. */
  readonly rateLimitPerMinute: number;
  /** Wrong keys of one address; 0 is no limit. */
  readonly failedKeysPerMinute: number;
  /** Wrong secrets of records, from one address and for one record; 0 is no limit. */
  readonly failedLoginsPerMinute: number;

  readonly addressBytesMax: number;
  /** Names and values together. */
  readonly headerBytesMax: number;
  readonly headersMax: number;

  /** Until a request's headers are here. */
  readonly headersSecondsMax: number;
  /** Until a JSON body is here, from its headers on. */
  readonly bodySecondsMax: number;
  /** Until a body with a picture is here, from its turn on. */
  readonly uploadSecondsMax: number;
  /** Until a whole request is here, whatever it waits for. */
  readonly requestSecondsMax: number;
  /** A connection without a request. */
  readonly keepAliveSecondsMax: number;
  /** A connection whose client reads nothing of an answer. */
  readonly stalledSecondsMax: number;
  /** 0 is no limit. */
  readonly connectionsMax: number;
  /** After so many the connection is closed; 0 is no limit. */
  readonly requestsPerConnectionMax: number;

  /** Work of one kind that goes on at once; 0 is no limit. */
  readonly readsAtOnceMax: number;
  readonly listsAtOnceMax: number;
  readonly writesAtOnceMax: number;
  readonly uploadsAtOnceMax: number;
  /** The longest wait for the turn of a read, list or write; 0 is any. */
  readonly waitMsMax: number;
  /** The most requests that may wait in each kind of work but uploads. */
  readonly requestsWaitingMax: number;
  /** Readers of the change feed that wait for more, of all keys and of each. */
  readonly feedReadersMax: number;
  readonly feedReadersPerKeyMax: number;
  readonly uploadsWaitingMax: number;

  readonly bulksAtOnceMax: number;
  /** Until the whole body of a bulk is here and written. */
  readonly bulkSecondsMax: number;
  /** A bulk whose client neither sends nor reads. */
  readonly bulkStalledSecondsMax: number;
  /** Results that wait on disk for their client. */
  readonly bulkUnreadBytesMax: number;

  readonly exportsAtOnceMax: number;
  /** Until the whole answer of an export is sent: it holds a moment of the database. */
  readonly exportSecondsMax: number;
  /** An export whose client reads nothing. */
  readonly exportStalledSecondsMax: number;
}
