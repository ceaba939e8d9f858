import { declareShare } from '../support/together.ts';

await declareShare(5);
