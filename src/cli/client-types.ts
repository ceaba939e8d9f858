/** `npm run client-types`: writes the types of the TypeScript client from the declarations. */
import { writeFileSync } from 'node:fs';
import { clientTypes } from '../engine/client-types.ts';
import { storeModel } from './open.ts';

writeFileSync(new URL('../client/types.ts', import.meta.url), clientTypes(storeModel()));
console.log('Wrote src/client/types.ts.');
