/** A customer's address book (profiles.md §2): addresses of the form that orders have. */
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
    message: `A profile has ${ADDRESSES_MAX} addresses or less; delete one first.`,
  },
});
