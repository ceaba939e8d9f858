/**
 * Divides the settings that bound memory, disk and connections among the workers, so that their total is what was set.
 */
import type { Config } from '../../wiring/settings/index.ts';

/** All other limits bound the work of one event loop or of one request. */
const DIVIDED = [
  'responseCacheBytesMax',
  'connectionsMax',
  'requestsWaitingMax',
  'uploadsAtOnceMax',
  'uploadsWaitingMax',
] as const satisfies readonly (keyof Config)[];

export function shareOf(config: Config): Config {
  // 0 stays 0: "no limit", or "no cache".
  const shares = DIVIDED.map((name) => [name, Math.ceil(config[name] / config.workers)]);
  return { ...config, ...Object.fromEntries(shares) };
}
