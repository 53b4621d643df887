/** A transaction of the only connection of a pool. */
export interface RunningTransaction {
  /** Statements that it has run. */
  ran: number;
  /** Made where it began, for its stack. */
  readonly began: Error;
}

/** Time between two looks. A transaction that runs no statement from one look to the next is stuck. */
const LOOK_EVERY_MS = 5_000;

/** The message names where the transaction began. */
export class StuckTransactionError extends Error {
  constructor({ began }: RunningTransaction) {
    const [, ...places] = (began.stack ?? '').split('\n').map((line) => line.trim());
    const own = places.filter((place) => !place.includes('/knex/'));
    super(`a transaction has the connection and runs no statement; it began ${own.join(' ')}`);
  }
}

/**
 * Ends the waits for the only connection where its transaction runs no statement: what the transaction awaits may be one
 * of them, as a query of `database.sql` inside of it, and both would wait for each other.
 */
export class StuckTransactions {
  readonly #running: () => RunningTransaction | undefined;
  readonly #waiting = new Set<(error: Error) => void>();
  #timer: NodeJS.Timeout | undefined;
  #seen: { readonly transaction: RunningTransaction; readonly ran: number } | undefined;

  constructor(running: () => RunningTransaction | undefined) {
    this.#running = running;
  }

  /**
   * The connection that `acquire` gives, for where it is not free: who has it may begin its transaction later. Throws
   * {@link StuckTransactionError} where a stuck one has it, after 5 to 10 s; a connection that comes later goes to `release`.
   */
  async acquire<Connection>(
    acquire: () => Promise<Connection>,
    release: (connection: Connection) => Promise<void>,
  ): Promise<Connection> {
    const acquiring = acquire();
    let abandon: ((error: Error) => void) | undefined;
    const stuck = new Promise<never>((_resolve, reject) => (abandon = reject));
    if (abandon) this.#waiting.add(abandon);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    let connection: Connection | undefined;
    try {
      return (connection = await Promise.race([acquiring, stuck]));
    } finally {
      if (connection === undefined) acquiring.then(release).catch(() => undefined);
      if (abandon) this.#waiting.delete(abandon);
      if (this.#waiting.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
        this.#seen = undefined;
      }
    }
  }

  #look(): void {
    const transaction = this.#running();
    const seen = this.#seen;
    this.#seen = transaction && { transaction, ran: transaction.ran };
    if (!transaction || seen?.transaction !== transaction || seen.ran !== transaction.ran) return;
    for (const abandon of this.#waiting) abandon(new StuckTransactionError(transaction));
  }
}
