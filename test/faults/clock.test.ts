/** Clocks that are wrong (docs/reliability/j-clock.md). */
import { clockJumps, oddStarts, zones } from '../../torture/clock.ts';
import { torture } from '../support/torture.ts';

torture('a clock that jumps and stands still: versions grow, keys are known, nothing is lost', clockJumps);
torture('a start in another century', oddStarts);
torture('the time zone of the process changes no answer', zones);
