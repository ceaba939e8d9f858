/** How much the door lets through, and how long it waits for it. Each is a setting (`cli/config.ts`). */
export interface Limits {
  /** Requests of one key; 0 is no limit. */
  readonly rateLimitPerMinute: number;
  /** Wrong keys of one address; 0 is no limit. */
  readonly failedKeysPerMinute: number;
}
