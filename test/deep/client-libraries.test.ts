import { aiSdk } from '../clients/drivers/ai-sdk.js';
import { sdk1 } from '../clients/drivers/sdk-1.js';
import { sdk2 } from '../clients/drivers/sdk-2.js';
import { startPlace, WAYS, type Place } from '../clients/support/client-deployment.js';
import { describeClient } from '../clients/support/suite.js';

describe('clients that others make', () => {
  let place: Place;
  before(async () => {
    place = await startPlace();
  });
  after(() => place?.stop());

  for (const driver of [sdk1, ...sdk2, aiSdk])
    for (const way of WAYS) describeClient(driver, way, () => place);
});
