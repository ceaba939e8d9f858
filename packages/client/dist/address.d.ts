/** The address of a request: parameters put into the path, filters and orders into the query (`price[gte]=5`). */
export interface Query {
    readonly filter?: Readonly<Record<string, unknown>>;
    readonly order?: Readonly<Record<string, string | undefined>>;
    readonly page?: number;
    readonly itemsPerPage?: number;
}
/** @throws {TypeError} a parameter is missing or cannot stand in a path, or a list to filter by is empty */
export declare function addressOf(path: string, parameters: Readonly<Record<string, unknown>>, query?: Query): string;
