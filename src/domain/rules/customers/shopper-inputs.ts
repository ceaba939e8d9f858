/** Members of the bodies of shoppers that belong to no record (storefront.md §3). */
import { choice, text } from '../../../engine/vocabulary.ts';

/** How the client of a session sends its token. */
export const TRANSPORT = choice(['bearer', 'cookie'], {
  default: 'bearer',
  description:
    '`bearer`: the response has the token, which the client sends in `Authorization`. `cookie`: the browser has it in a cookie that scripts cannot read.',
});

/** Token of the cart that becomes that of the customer who logs in. */
export const LOGIN_CART = text({ nullable: true, lengthMax: 100 });
