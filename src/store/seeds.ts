/** The records that a store begins with, made once: what is changed or deleted afterwards stays so. */
import { type Caller, committed, inUnit, type Service } from '../engine/index.ts';
import { readSetting, writeSetting } from './settings.ts';

/** Brings the seeds of every resource into the store that has not had them yet. */
export async function sowSeeds(service: Service, caller: Caller): Promise<void> {
  for (const { name, declaration } of service.model.resources.values()) {
    const { seeds } = declaration;
    const setting = `seeds of ${name}`;
    if (!seeds || (await readSetting(committed(service, caller), setting)) !== undefined) continue;
    await inUnit(service, caller, async (unit) => {
      await unit.lock(setting);
      if ((await readSetting(unit, setting)) !== undefined) return;
      await unit.insertAll(name, seeds);
      await writeSetting(unit, setting, 'sown');
    });
  }
}
