import { Link } from 'wouter';
import { NEARLY_FULL, usageOf, type Quota } from '../health/quotas.js';
import { words } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';

/** The quotas that refuse what is stored next, or soon will. */
export function FullQuotas({ quotas }: { readonly quotas: readonly Quota[] }) {
  return quotas
    .filter(({ limit, used }) => used >= NEARLY_FULL * limit)
    .map((quota) => <OneQuota key={quota.resource} quota={quota} />);
}

function OneQuota({ quota }: { readonly quota: Quota }) {
  const isFull = quota.used >= quota.limit;
  const name = words(quota.resource);
  return (
    <output className={isFull ? 'notice bad' : 'notice'}>
      <Icon name="alert" />
      <span>
        <strong>
          {isFull ? `No room for more ${name.toLowerCase()}` : `${name} are nearly used up`}: {usageOf(quota)}
          .
        </strong>{' '}
        Delete what is not needed, or ask the operator of the service to raise the quota.{' '}
        <Link href="/health">Show all quotas</Link>
      </span>
    </output>
  );
}
