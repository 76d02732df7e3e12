import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { numberState } from '../numbers/number-labels.ts'
import { RepairButton } from '../numbers/repair-button.tsx'
import { Phone } from '../phone.tsx'
import type { PhoneNumber } from '../telephony-queries.ts'
import { SectionTitle } from './section-title.tsx'

interface NumberListProps {
  numbers: PhoneNumber[]
  currentId: string | undefined
  onImport?: () => void
}

export function NumberList({ numbers, currentId, onImport }: NumberListProps) {
  const isAdmin = useSession().role !== 'member'
  return (
    <section aria-labelledby="numbers">
      <SectionTitle
        id="numbers"
        count={numbers.length}
        action={
          onImport && (
            <Button size="small" onClick={onImport}>
              <Plus aria-hidden className="icon" />
              Import number
            </Button>
          )
        }
      >
        Numbers
      </SectionTitle>
      <Table
        label="Numbers"
        columns={columns(isAdmin)}
        rows={numbers}
        rowKey={({ id }) => id}
        version={({ status, webhooks }) => `${status} ${JSON.stringify(webhooks)}`}
        currentKey={currentId}
      />
    </section>
  )
}

const columns = (isAdmin: boolean): Column<PhoneNumber>[] => [
  { header: t`Number`, wide: true, cell: (number) => <NumberCell number={number} /> },
  {
    header: t`Channels`,
    visibleFrom: 'wide',
    cell: ({ capabilities: { voice, sms, mms } }) => (
      <span className="whitespace-nowrap text-neutral-11">
        {[voice && t`Calls`, sms && t`Texts`, mms && t`Pictures`].filter(Boolean).join(', ')}
      </span>
    ),
  },
  {
    header: t`State`,
    cell: (number) => {
      const { label, meaning, reason } = numberState(number)
      return (
        <span title={reason ?? undefined}>
          <Status meaning={meaning}>{label}</Status>
        </span>
      )
    },
  },
  {
    header: t`Repair`,
    headerHidden: true,
    right: true,
    hiddenBesidePanel: true,
    cell: (number) =>
      isAdmin && numberState(number).isRepairable ? (
        <span className="relative">
          <RepairButton numberId={number.id} size="small" />
        </span>
      ) : null,
  },
]

function NumberCell({ number: { id, e164, label, projectName } }: { number: PhoneNumber }) {
  return (
    <span className="block min-w-0">
      <Link
        to="/phone"
        search={{ number: id }}
        data-row-link={id}
        className="row-link block truncate font-medium outline-none"
      >
        <Phone>{e164}</Phone>
      </Link>
      <span className="block truncate text-12 text-neutral-11">
        {label && (
          <>
            <Name>{label}</Name>
            {' · '}
          </>
        )}
        <Name>{projectName ?? t`A project you can’t see`}</Name>
      </span>
    </span>
  )
}
