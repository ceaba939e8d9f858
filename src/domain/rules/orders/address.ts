/** Postal addresses of orders and customers (orders.md §1). Every field is optional. */
import { choice, type Field, flag, integer, list, object, text } from '../../../engine/vocabulary.ts';

const line = (...synonyms: string[]): Field => text({ lengthMax: 255, personal: true, synonyms });

/** Searchable, so that customers are found by their names. */
const name = (...synonyms: string[]): Field => text({ lengthMax: 255, personal: true, searchable: true, synonyms });

/** Characters of a postcode that survive an erasure. They identify the region, for sales statistics. */
const REGION_CHARACTERS = 2;

/** @param addressField - use of the address, the default of `is_billing` and `is_shipping` */
export function addressFields(addressField?: 'billing' | 'shipping') {
  return {
    is_billing: flag({ default: addressField === 'billing' }),
    is_shipping: flag({ default: addressField === 'shipping' }),
    is_work: flag(),
    type: choice(['R', 'C'], { default: 'R', description: '`R` residential, `C` commercial.' }),
    title: line(),
    firstname: name('givenname', 'forename'),
    lastname: name('surname', 'familyname'),
    company: line(),
    phone: line('telephone', 'tel', 'phonenumber', 'mobile'),
    street: line('address', 'address1', 'addressline1', 'line1', 'streetaddress'),
    city: line('town'),
    zipcode: text({
      synonyms: ['zip', 'postcode', 'postalcode'],
      lengthMax: 32,
      personal: (code) => [...(code as string)].slice(0, REGION_CHARACTERS).join(''),
    }),
    country_code: text({
      synonyms: ['country', 'countryiso'],
      nullable: true,
      form: { pattern: /^[A-Z]{2}$/, expected: 'two capital letters such as DE, or null' },
    }),
    state: integer({ min: 0, nullable: true, zeroIsNull: true, description: '0 is stored as null.' }),
    state_name: line('region', 'province'),
    custom_fields: list(
      { name: text({ required: true, notBlank: true, lengthMax: 255 }), value: line() },
      { countMax: 50, personal: true },
    ),
  };
}

/**
 * An address inside a record.
 *
 * @param addressField - use of the address
 * @param isSearched - whether a search of the records reads the names in it
 */
export function address(addressField: 'billing' | 'shipping', isSearched = false): Field {
  return object(addressFields(addressField), {
    nullable: true,
    groups: ['all', 'read', 'insert', 'update'],
    ...(isSearched ? { searchedMembers: ['firstname', 'lastname', 'company'] } : {}),
    description: 'A partial update changes only the members that it contains.',
    ...(addressField === 'shipping'
      ? {
          example: {
            firstname: 'Ada',
            lastname: 'Lovelace',
            street: '12 St James Square',
            city: 'London',
            country_code: 'GB',
          },
        }
      : {}),
  });
}
