/** Address books of customers (profiles.md §2). Addresses have the same fields as those of orders. */
import { partOf, resource } from '../../engine/vocabulary.ts';
import { addressFields } from '../rules/orders/address.ts';

const ADDRESSES_MAX = 100;

export const profileAddress = resource({
  name: 'ProfileAddress',
  group: 'Profiles',
  description: 'An address in a customer’s address book.',
  fields: { profile: partOf('Profile'), ...addressFields() },
  routes: [
    {
      path: '/profiles/{profile_id}/addresses/{address_id}',
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      parents: { profile_id: 'profile' },
      unknownParent: 'not-found',
    },
  ],
  siblingsMax: {
    count: ADDRESSES_MAX,
    field: '',
    message: `A profile can have at most ${ADDRESSES_MAX} addresses. Delete one first.`,
  },
});
