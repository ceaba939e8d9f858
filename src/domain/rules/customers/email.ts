/** E-mail addresses, as orders and customers have them. */

/**
 * An e-mail address as HTML takes it in a form (WHATWG HTML, `input type=email`), and as RFC 6531 extends it beyond
 * ASCII: in front of the `@` all visible characters, behind it letters, marks and digits of any script.
 */
const EMAIL =
  /^(?:[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]|[^\x00-\x7f\p{C}\p{Z}])+@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?)*$/u;

export const EMAIL_FORM = {
  pattern: EMAIL,
  schemaPattern: /^[^\s@]+@[^\s@]+$/,
  expected: 'an e-mail address such as ada@example.com',
};

/** In place of one that is to be forgotten, where there must be one: nobody can have it (RFC 6761 §6.4). */
export const ERASED_EMAIL = 'erased@customer.invalid';
