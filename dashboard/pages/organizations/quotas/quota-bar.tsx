import { queryOptions } from '@tanstack/react-query'
import { useId } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { QUOTAS } from '../../../../contract/quotas.ts'
import { LOCALE } from '../../../../contract/text.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { formatSize } from '../../../components/amounts.ts'
import { Status } from '../../../components/status.tsx'

export type Quota = OutputOf<Contract['quotas']['list']>['items'][number]

export const usageQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: ({ signal }) => organizationApi.quotas.list(undefined, { signal }),
})

export const NEARLY_FULL = 0.8

export function QuotaBar({ quota }: { quota: Quota }) {
  const id = useId()
  const { name, used, allowed, unit } = quota
  // The server's own texts are in English.
  const { label, description } = QUOTAS[name]
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-16">
        <span id={id} className="font-medium text-13">
          {label}
        </span>
        <span className="flex items-center gap-8 text-13 text-neutral-11">
          {used >= allowed ? (
            <Status meaning="bad">Full</Status>
          ) : (
            used >= allowed * NEARLY_FULL && <Status meaning="warning">Nearly full</Status>
          )}
          {formatAmount(used, unit)} of {formatAmount(allowed, unit)}
        </span>
      </div>
      <progress
        aria-labelledby={id}
        className="h-4 w-full appearance-none overflow-hidden rounded-4 bg-neutral-4 [&::-moz-progress-bar]:bg-neutral-9 [&::-webkit-progress-bar]:bg-neutral-4 [&::-webkit-progress-value]:bg-neutral-9"
        value={Math.min(used, allowed)}
        max={Math.max(allowed, 1)}
      />
      <p className="text-12 text-neutral-11">{description}</p>
    </div>
  )
}

export const formatAmount = (amount: number, unit: Quota['unit']): string =>
  unit === 'items' ? amount.toLocaleString(LOCALE) : formatSize(amount)
