/** A small shop for plants in TypeScript and Python: calls over files, a cycle, inheritance, tests, unused code. */
export const GARDEN_CODE: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "garden", "main": "src/main.ts" }\n',
  'src/main.ts':
    "import { checkout } from './orders/checkout';\nimport { water } from './plants/water';\n\nexport function main(): void {\n  water(['rose', 'fern']);\n  checkout('anna', [{ plant: 'rose', count: 2 }]);\n}\n",
  'src/orders/checkout.ts':
    "import { priceOf, type Line } from './price';\nimport { reserve } from '../stock/reserve';\nimport { send } from '../mail/send';\nimport { log } from '../log';\n\n/** Orders plants for a customer. */\nexport function checkout(customer: string, lines: Line[]): number {\n  log(`order of ${customer}`);\n  for (const line of lines) reserve(line.plant, line.count);\n  const total = priceOf(lines);\n  send(customer, `That is ${total}`);\n  return total;\n}\n",
  'src/orders/price.ts':
    "import { log } from '../log';\n\nexport interface Line {\n  plant: string;\n  count: number;\n}\n\nexport function priceOf(lines: Line[]): number {\n  log('price');\n  return lines.reduce((sum, line) => sum + unitPrice(line.plant) * line.count, 0);\n}\n\nfunction unitPrice(plant: string): number {\n  return plant.length;\n}\n",
  'src/orders/cancel.ts':
    "import { release } from '../stock/reserve';\nimport { send } from '../mail/send';\nimport type { Line } from './price';\n\nexport function cancel(customer: string, lines: Line[]): void {\n  for (const line of lines) release(line.plant, line.count);\n  send(customer, 'Cancelled');\n}\n",
  'src/stock/reserve.ts':
    "import { Store } from './store';\nimport { log } from '../log';\n\nconst store = new Store();\n\nexport function reserve(plant: string, count: number): void {\n  store.take(plant, count);\n  log(`reserved ${plant}`);\n}\n\nexport function release(plant: string, count: number): void {\n  store.put(plant, count);\n}\n",
  'src/stock/store.ts':
    "import { Shelf } from './shelf';\n\nexport class Store extends Shelf {\n  take(plant: string, count: number): void {\n    this.set(plant, this.get(plant) - count);\n  }\n\n  put(plant: string, count: number): void {\n    this.set(plant, this.get(plant) + count);\n  }\n}\n",
  'src/stock/shelf.ts':
    'export class Shelf {\n  private readonly counts = new Map<string, number>();\n\n  get(plant: string): number {\n    return this.counts.get(plant) ?? 0;\n  }\n\n  set(plant: string, count: number): void {\n    this.counts.set(plant, count);\n  }\n}\n',
  'src/mail/send.ts':
    "import { retry } from './retry';\nimport { log } from '../log';\n\nexport function send(to: string, text: string): void {\n  log(`mail to ${to}`);\n  if (text === '') retry(to, text);\n}\n",
  'src/mail/retry.ts':
    "import { send } from './send';\n\nexport function retry(to: string, text: string): void {\n  send(to, text || 'again');\n}\n",
  'src/plants/water.ts':
    "import { log } from '../log';\n\nexport function water(plants: string[]): void {\n  for (const plant of plants) log(`water ${plant}`);\n}\n\nfunction neverCalled(): number {\n  return 42;\n}\n",
  'src/log.ts': 'export function log(text: string): void {\n  console.log(text);\n}\n',
  'test/checkout.test.ts':
    "import { checkout } from '../src/orders/checkout';\n\ntest('orders plants', () => {\n  checkout('bob', [{ plant: 'fern', count: 1 }]);\n});\n",
  'tools/report.py':
    'from tools.read import read_sales\n\n\ndef report(path):\n    """Sums the sales of a file."""\n    return sum(read_sales(path))\n',
  'tools/read.py':
    'def read_sales(path):\n    with open(path) as file:\n        return [int(line) for line in file]\n',
};
