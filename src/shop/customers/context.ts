/** What the catalog depends on with `for=me` (storefront.md §2). */
import { enabledMembership } from '../../domain/rules/pricing/calculation-facts.ts';
import type { Reads, Value } from '../../engine/index.ts';
import type { ShopperContext } from '../storefront/view.ts';

const ADDRESS = ['country_code', 'state_name', 'zipcode', 'city'];

/** Reads the customer's membership and first shipping address. */
export async function readShopperContext(reads: Reads, profile: Value): Promise<ShopperContext> {
  const [customer] = await reads.list('Profile', { id: profile }, { only: ['membership_id'] });
  const addresses = await reads.list('ProfileAddress', { profile, is_shipping: true }, { only: ADDRESS });
  return {
    membership: await enabledMembership(
      reads as unknown as Parameters<typeof enabledMembership>[0],
      customer?.membership_id ?? null,
    ),
    address: addressOf(addresses[0]),
  };
}

function addressOf(stored: Readonly<Record<string, Value>> | undefined): ShopperContext['address'] {
  const { country_code: country, state_name: state, zipcode, city } = stored ?? {};
  if (typeof country !== 'string') return null;
  return { country, state: (state as string) || null, zipcode: zipcode as string, city: city as string };
}
