import assert from 'node:assert/strict';
import { Browser } from '../../oauth/support/browser.js';
import { allow } from '../../oauth/support/browser-consent.js';
import type { Person } from '../../oauth/support/oauth-deployment.js';

const ADDRESS = /https?:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/;

/** A person before a program that logs in: opens the address that it prints, signs in and allows. */
export class Visitor {
  readonly #person: Person;
  readonly #listens: RegExp;
  #heard = '';
  #visit: Promise<void> | undefined;

  /** `listens`: output of the program once its callback listens. */
  constructor(person: Person, listens = ADDRESS) {
    this.#person = person;
    this.#listens = listens;
  }

  readonly hear = (part: string): void => {
    this.#heard += part;
    const [address] = ADDRESS.exec(this.#heard) ?? [];
    if (this.#visit || address === undefined || !this.#listens.test(this.#heard)) return;
    this.#visit = this.#go(address);
    this.#visit.catch(() => undefined); // `visited` reports it
  };

  /** Once the visit is over; rejects where there was none. */
  async visited(): Promise<void> {
    assert.ok(this.#visit, `the program asked nobody to log in, but said: ${this.#heard}`);
    await this.#visit;
  }

  async #go(address: string): Promise<void> {
    const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
    const back = await allow(new Browser(fetch, callback), address, this.#person);
    const { status } = await fetch(back);
    assert.equal(status, 200);
  }
}
