/** All settings: their names, defaults and descriptions. */
import { changesSettings } from './changes.ts';
import { limitsSettings } from './limits.ts';
import { mailSettings } from './mail.ts';
import { serverSettings } from './server.ts';
import type { Setting } from './setting.ts';
import { shopSettings } from './shop.ts';
import { signInSettings } from './sign-in.ts';
import { sizesSettings } from './sizes.ts';
import { storageSettings } from './storage.ts';
import { storeSettings } from './store.ts';

/** In the order of `purveyor serve --help`. */
export const settings = {
  ...serverSettings,
  ...storageSettings,
  ...storeSettings,
  ...shopSettings,
  ...signInSettings,
  ...mailSettings,
  ...sizesSettings,
  ...limitsSettings,
  ...changesSettings,
};

/** The values of all settings. */
export type Config = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};
