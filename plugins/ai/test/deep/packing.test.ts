import { checkBudgets } from '../budget-property.js';

describe('packing of context', () => {
  it('never exceeds its budget, over 10,000 random requests', () => checkBudgets(10_000));
});
