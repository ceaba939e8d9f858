/** E-mail addresses of orders and customers. */

/**
 * The e-mail syntax of HTML forms (WHATWG HTML, `input type=email`), extended beyond ASCII like RFC 6531: all visible
 * characters before the `@`; letters, marks and digits of any script after it.
 */
const EMAIL =
  /^(?:[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]|[^\x00-\x7f\p{C}\p{Z}])+@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?)*$/u;

export const EMAIL_FORM = {
  pattern: EMAIL,
  schemaPattern: /^[^\s@]+@[^\s@]+$/,
  expected: 'an e-mail address such as ada@example.com',
};

/** Replaces an erased address where one is required. The domain `.invalid` never exists (RFC 6761 §6.4). */
export const ERASED_EMAIL = 'erased@customer.invalid';
