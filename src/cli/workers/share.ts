/** A worker's part of the settings that bound memory, disk and connections: together the workers keep to what was set. */
import type { Config } from '../../wiring/config.ts';

/** The others bound the work of one event loop, or are of one request. */
const DIVIDED = [
  'responseCacheBytesMax',
  'connectionsMax',
  'requestsWaitingMax',
  'uploadsAtOnceMax',
  'uploadsWaitingMax',
] as const satisfies readonly (keyof Config)[];

export function shareOf(config: Config): Config {
  // 0 is another word for "no limit", or for "keep nothing".
  const shares = DIVIDED.map((name) => [name, Math.ceil(config[name] / config.workers)]);
  return { ...config, ...Object.fromEntries(shares) };
}
