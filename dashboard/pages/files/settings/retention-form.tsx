import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { fileApi, type Retention, retentionQuery } from '../../../api/files.ts'
import { formatSize } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'

const DAYS = [7, 14, 30, 60, 90, 180, 365, 730]

export function RetentionForm() {
  const retention = useQuery(retentionQuery)
  return (
    <Section
      title="Retention"
      lead="Once a day, Atrium permanently deletes older files and versions, except versions needed to undo a run."
    >
      {retention.isPending && <SkeletonRows rows={2} />}
      {retention.error && !retention.data && (
        <Failure error={retention.error} onRetry={() => retention.refetch()} />
      )}
      {retention.data && <Form key={retention.data.updatedAt} retention={retention.data} />}
    </Section>
  )
}

type Days = number | null

function Form({ retention }: { retention: Retention }) {
  const queryClient = useQueryClient()
  const [trashDays, setTrashDays] = useState<Days>(retention.trashDays)
  const [versionDays, setVersionDays] = useState<Days>(retention.versionDays)
  const isChanged = trashDays !== retention.trashDays || versionDays !== retention.versionDays
  const save = useMutation({
    mutationFn: () => fileApi.fileRetention.update({ trashDays, versionDays }),
    onSuccess: (saved) => {
      queryClient.setQueryData(retentionQuery.queryKey, saved)
      toast(t`Retention saved`)
    },
  })
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <DaysSelect
        label="Files in the trash"
        neverLabel={t`Until someone deletes them permanently`}
        value={trashDays}
        onChange={setTrashDays}
      />
      <DaysSelect
        label="Replaced versions"
        neverLabel={t`Until there are 100 newer ones`}
        value={versionDays}
        onChange={setVersionDays}
      />
      {isChanged && <Effect trashDays={trashDays} versionDays={versionDays} />}
      <FormFailure>{failureMessage(save.error)}</FormFailure>
      <div>
        <Button look="primary" type="submit" busy={save.isPending} disabled={!isChanged}>
          Save retention
        </Button>
      </div>
    </form>
  )
}

interface DaysSelectProps {
  label: string
  neverLabel: string
  value: Days
  onChange: (days: Days) => void
}

function DaysSelect({ label, neverLabel, value, onChange }: DaysSelectProps) {
  const options = value === null || DAYS.includes(value) ? DAYS : [...DAYS, value].toSorted((a, b) => a - b)
  return (
    <Select
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value ? Number(event.target.value) : null)}
    >
      <option value="">{neverLabel}</option>
      {options.map((days) => (
        <option key={days} value={days}>
          {days} days
        </option>
      ))}
    </Select>
  )
}

function Effect(days: { trashDays: Days; versionDays: Days }) {
  const effect = useQuery({
    queryKey: ['files', 'retention-effect', days.trashDays, days.versionDays],
    queryFn: ({ signal }) =>
      fileApi.fileRetention.effect(
        { trashDays: days.trashDays ?? 'never', versionDays: days.versionDays ?? 'never' },
        { signal },
      ),
    placeholderData: (before) => before,
  })
  if (effect.error) return <Failure error={effect.error} onRetry={() => effect.refetch()} />
  if (!effect.data) return <SkeletonRows rows={1} />
  const { trash, versions } = effect.data
  const deletesNothing = trash.entries === 0 && versions.entries === 0
  return (
    <div
      role="status"
      className={`rounded-control border p-12 text-13 ${deletesNothing ? 'border-neutral-6 bg-inset' : 'border-warning-line bg-warning-wash'}`}
    >
      {deletesNothing ? (
        t`The next cleanup deletes nothing.`
      ) : (
        <>
          <p>The next cleanup permanently deletes:</p>
          <ul className="list-disc pl-16">
            {trash.entries > 0 && (
              <li>
                {counted(trash.entries, 'item')} in the trash with {counted(trash.files, 'file')},{' '}
                {formatSize(trash.bytes)}
              </li>
            )}
            {versions.entries > 0 && (
              <li>
                {counted(versions.entries, 'version')}, {formatSize(versions.bytes)}
              </li>
            )}
          </ul>
        </>
      )}
    </div>
  )
}
