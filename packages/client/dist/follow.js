/** The store tells no more what happened behind the cursor: begin again without `since`, and drop what is told no more. */
export class CursorGone extends Error {
    name = 'CursorGone';
    cursor;
    cause;
    constructor(cursor, cause) {
        super(cause.message);
        this.cursor = cursor;
        this.cause = cause;
    }
}
const LIMIT_MAX = 1000;
const WAIT_SECONDS_MAX = 30;
/** Part of an attempt's time is for the answer itself. */
const WAIT_SHARE = 0.5;
/**
 * Asks for the next page when the caller comes for it, so a slow caller is not overrun.
 * @param ask reads one page at a path; raises `CursorGone`
 */
export async function* follow(ask, { since, resources = [], withRecords = false, limit = LIMIT_MAX }, attemptSecondsMax) {
    const wait = Math.floor(Math.min(WAIT_SECONDS_MAX, attemptSecondsMax * WAIT_SHARE));
    const wishes = [
        ...resources.map((name) => ['resource[]', name]),
        ['limit', String(limit)],
        ...(withRecords ? [['include', 'record']] : []),
    ];
    let after = since ?? '';
    for (let isCaughtUp = false;;) {
        const query = new URLSearchParams(wishes);
        if (after !== '')
            query.set('after', after);
        // All that is there already is told at once; only behind it the store waits.
        if (isCaughtUp)
            query.set('wait', String(wait));
        const { entries, cursor } = await ask(`/changes?${query}`, after);
        isCaughtUp = entries.length < limit;
        const isNothing = entries.length === 0 && cursor === after;
        after = cursor;
        if (!isNothing)
            yield { entries, cursor, isCaughtUp };
    }
}
