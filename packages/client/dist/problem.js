export class StoreProblem extends Error {
    name = 'StoreProblem';
    /** One of the store's problems. `about:blank`: the answer is no problem of a store, but a proxy's, say. */
    type;
    /** Address of a page about this kind of problem. */
    page;
    status;
    title;
    /** An explanation of this failure, and of the way out. */
    detail;
    /** The request id; the store's log has more under it. */
    instance;
    /** Every broken rule of the body; empty unless `type` is `validation-failed`. */
    violations;
    /** How many violations there are beside those. */
    violationsOmitted;
    /** With a 412: the tag that the record has now. */
    etag;
    retryAfterSeconds;
    /** An earlier attempt of this request was not answered, so it may have been done: a 412 may be one's own change. */
    wasPerhapsDone;
    constructor(reply) {
        const { status, body, method, path } = reply;
        const isProblem = typeof body?.type === 'string' && typeof body.detail === 'string';
        const detail = isProblem ? body.detail : (reply.explanation ?? `The answer has status ${status}.`);
        super(`${method} ${path}: ${status} ${detail}`);
        // A store that is newer than this client may have types that are not among those it knows.
        this.type = isProblem ? body.type.split('/').at(-1) : 'about:blank';
        this.page = isProblem ? body.type : undefined;
        this.status = status;
        this.title = text(body?.title) ?? `Status ${status}`;
        this.detail = detail;
        this.instance = text(body?.instance);
        this.violations = Array.isArray(body?.violations) ? body.violations : [];
        this.violationsOmitted = typeof body?.violations_omitted === 'number' ? body.violations_omitted : 0;
        this.etag = reply.etag;
        this.retryAfterSeconds = reply.retryAfterSeconds;
        this.wasPerhapsDone = reply.wasPerhapsDone;
    }
}
function text(value) {
    return typeof value === 'string' ? value : undefined;
}
