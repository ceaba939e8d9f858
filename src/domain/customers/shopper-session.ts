/** Sessions of customers in the shop (storefront.md §3). `store/shoppers/` begins, finds and ends them. */
import { reference, resource, text, timestamp } from '../../engine/vocabulary.ts';

export const shopperSession = resource({
  name: 'ShopperSession',
  description: 'A session of a customer. It has one current token.',
  fields: {
    profile: reference({ to: 'Profile', groups: [], onDelete: 'cascade' }),
    // SHA-256 of the current token, in hexadecimal digits.
    hash: text({ groups: [], unique: true }),
    created: timestamp({ groups: [] }),
    used: timestamp({ groups: [] }),
  },
  routes: [],
  unpublished: true,
  fewPerRecord: true,
});

export const formerShopperToken = resource({
  name: 'FormerShopperToken',
  description: 'A token of a session that a newer one has replaced. Its use after a short time ends the session.',
  fields: {
    session: reference({ to: 'ShopperSession', groups: [], onDelete: 'cascade' }),
    hash: text({ groups: [], unique: true }),
    until: timestamp({ groups: [] }),
  },
  routes: [],
  unpublished: true,
  fewPerRecord: true,
});
