/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;
