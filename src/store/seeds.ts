/** Seed records of a new store. They are created once; later changes and deletions are final. */
import { committed, inUnit, type RequestOptions, type Service } from '../engine/index.ts';
import { readSetting, writeSetting } from './settings.ts';

/** Inserts the seeds of each resource that has not had them yet. */
export async function sowSeeds(service: Service, requestOptions: RequestOptions): Promise<void> {
  for (const { name, declaration } of service.model.resources.values()) {
    const { seeds } = declaration;
    const setting = `seeds of ${name}`;
    if (!seeds || (await readSetting(committed(service, requestOptions), setting)) !== undefined) continue;
    await inUnit(service, requestOptions, async (unit) => {
      await unit.lock(setting);
      if ((await readSetting(unit, setting)) !== undefined) return;
      await unit.insertAll(name, seeds);
      await writeSetting(unit, setting, 'sown');
    });
  }
}
