import { t } from '../../../../contract/text.ts'
import type { OrganizationStatus } from '../../../api/organizations.ts'
import { type Meaning, Status } from '../../../components/status.tsx'

export const STATUS_LABELS: Record<OrganizationStatus, { label: string; meaning: Meaning }> = {
  active: { label: t`Active`, meaning: 'good' },
  suspended: { label: t`Suspended`, meaning: 'warning' },
  erasing: { label: t`Pending erasure`, meaning: 'bad' },
}

export function OrganizationStatusLabel({ status }: { status: OrganizationStatus }) {
  const { label, meaning } = STATUS_LABELS[status]
  return <Status meaning={meaning}>{label}</Status>
}
