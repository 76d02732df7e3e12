import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { QUOTAS } from '../../../../contract/quotas.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage, isOffline } from '../../../api/explain.ts'
import { organizationApi, organizationQuotasQuery } from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { Failure, NotSaved } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { type Quota, QuotaBar } from '../quotas/quota-bar.tsx'

export function QuotasSection({ id }: { id: string }) {
  const quotas = useQuery(organizationQuotasQuery(id))
  const { data } = quotas
  return (
    <Section
      title="Quotas"
      lead="Limits set here override the server default. A limit below current usage deletes nothing."
    >
      {quotas.isPending && <SkeletonRows />}
      {quotas.error && !data && <Failure error={quotas.error} onRetry={() => quotas.refetch()} />}
      {data && (
        <ul aria-label="Quotas" className="flex flex-col gap-24">
          {data.items.map((quota) => (
            <li key={`${quota.name} ${quota.allowed}`} className="flex flex-col gap-8">
              <QuotaBar quota={quota} />
              <LimitForm organizationId={id} quota={quota} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function LimitForm({ organizationId, quota }: { organizationId: string; quota: Quota }) {
  const { name, unit, allowed, isDefault } = quota
  const { label } = QUOTAS[name]
  const [draft, setDraft] = useState(String(allowed))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (limit: number | null) =>
      organizationApi.quotas.update({ id: organizationId, [name]: limit }),
    onSuccess: (saved) => {
      queries.setQueryData(organizationQuotasQuery(organizationId).queryKey, saved)
      toast(withNames`Saved limit for ${labelInSentence(label)}`)
    },
  })
  const limit = /^\d{1,16}$/.test(draft.trim()) ? Number(draft) : null
  return (
    <form
      className="flex max-w-form flex-wrap items-end gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        if (limit !== null && limit !== allowed && !save.isPending) save.mutate(limit)
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label={t`Limit for ${labelInSentence(label)}${unit === 'bytes' ? t` in bytes` : ''}`}
          error={isOffline(save.error) ? undefined : failureMessage(save.error)}
          inputMode="numeric"
          autoComplete="off"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </div>
      <Button type="submit" busy={save.isPending} disabled={limit === null || limit === allowed}>
        Save
      </Button>
      {!isDefault && (
        <Button look="quiet" disabled={save.isPending} onClick={() => save.mutate(null)}>
          Use default
        </Button>
      )}
      <NotSaved error={save.error} />
    </form>
  )
}
