/** The address of the shop that a client has set at `/store`, which takes precedence over the setting `SHOP_URL` (http.md §22). */
import { committed, type Languages, type Service } from '../engine/index.ts';

/** Returns the service with the shop's address in its settings. */
export async function withShopUrl(service: Service, languages: Languages): Promise<Service> {
  const [store] = await committed(service, languages).list('StoreInfo', {});
  const shopUrl = store?.shop_url;
  if (typeof shopUrl !== 'string') return service;
  const { environment } = service;
  return { ...service, environment: { ...environment, settings: { ...environment.settings, shop_url: shopUrl } } };
}
