/** A map whose entries are made when they are first asked for. */
export class LazyMap<Value> extends Map<string, Value> {
  readonly #fill: (key: string | undefined) => void;

  /** `fill`: adds the entry of a key if there is one, else all entries. It may ask the map. */
  constructor(fill: (key: string | undefined) => void) {
    super();
    this.#fill = fill;
  }

  override get(key: string): Value | undefined {
    this.#fill(key);
    return super.get(key);
  }

  override has(key: string): boolean {
    this.#fill(key);
    return super.has(key);
  }

  override get size(): number {
    this.#fill(undefined);
    return super.size;
  }

  override keys(): MapIterator<string> {
    this.#fill(undefined);
    return super.keys();
  }

  override values(): MapIterator<Value> {
    this.#fill(undefined);
    return super.values();
  }

  override entries(): MapIterator<[string, Value]> {
    this.#fill(undefined);
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}
