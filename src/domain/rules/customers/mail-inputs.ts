/** Members of bodies with a token from a mail (storefront.md §3). */
import { text } from '../../../engine/vocabulary.ts';

export const MAILED_TOKEN = text({
  required: true,
  lengthMax: 100,
  description: 'The token in the link of the mail, after `#token=`.',
  example: 'pv_ot_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleX',
});
