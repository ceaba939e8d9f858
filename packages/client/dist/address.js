/** The address of a request: parameters put into the path, filters and orders into the query (`price[gte]=5`). */
/** @throws {TypeError} a parameter is missing or cannot stand in a path, or a list to filter by is empty */
export function addressOf(path, parameters, query = {}) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => segment(name, parameters[name]));
    const pairs = [...filterPairs(query.filter ?? {}), ...orderPairs(query.order ?? {})];
    if (query.page !== undefined)
        pairs.push(['page', String(query.page)]);
    if (query.itemsPerPage !== undefined)
        pairs.push(['itemsPerPage', String(query.itemsPerPage)]);
    return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}
function segment(name, value) {
    const text = value === undefined || value === null ? '' : String(value);
    // Addresses leave out "." and resolve ".." even when they are percent-encoded: that would be another path.
    if (['', '.', '..'].includes(text))
        throw new TypeError(`The path needs {${name}}, and “${text}” cannot stand for it.`);
    return encodeURIComponent(text);
}
function filterPairs(filter) {
    return Object.entries(filter).flatMap(([name, value]) => {
        if (value === undefined)
            return [];
        if (Array.isArray(value))
            return listPairs(name, value);
        if (typeof value !== 'object' || value === null)
            return [[name, String(value)]];
        return Object.entries(value).flatMap(([operator, bound]) => {
            if (bound === undefined)
                return [];
            return [[`${name}[${operator}]`, Array.isArray(bound) ? bound.join('..') : String(bound)]];
        });
    });
}
function listPairs(name, values) {
    // Sent as nothing it would find everything, which is the opposite of what it says.
    if (values.length === 0)
        throw new TypeError(`The filter ${name} is an empty list, which no record can match: leave it out, or do not ask.`);
    return values.map((value) => [`${name}[]`, String(value)]);
}
function orderPairs(order) {
    return Object.entries(order).flatMap(([name, direction]) => direction === undefined ? [] : [[`order[${name}]`, direction]]);
}
