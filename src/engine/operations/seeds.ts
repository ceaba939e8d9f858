/** The records that a store begins with, made once: what is changed or deleted afterwards stays so. */

import type { Service } from '../service.ts';
import { createRecords } from './records.ts';
import { readSetting, writeSetting } from './settings.ts';
import { runIn } from './stored.ts';

/** Brings the seeds of every resource into the store that has not had them yet. */
export async function sowSeeds(service: Service, language: string): Promise<void> {
  for (const { name, declaration } of service.model.resources.values()) {
    const { seeds } = declaration;
    const setting = `seeds of ${name}`;
    if (!seeds || (await readSetting(service, setting)) !== undefined) continue;
    await service.database.transaction(async (transaction) => {
      await transaction.lock(setting);
      const run = runIn(transaction);
      if ((await readSetting(service, setting, run)) !== undefined) return;
      const records = createRecords(service, run, language, (one) => transaction.lock(one));
      for (const seed of seeds) await records.add(name, seed);
      await writeSetting(service, run, setting, 'sown');
    });
  }
}
