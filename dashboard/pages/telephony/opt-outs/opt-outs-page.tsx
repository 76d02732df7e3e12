import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Ban, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { numbersQuery } from '../../../api/telephony/overview.ts'
import { type OptOut, optOutsQuery } from '../../../api/telephony/sms.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { Phone } from '../phone.tsx'
import { TelephonyTabs } from '../telephony-tabs.tsx'
import { AddOptOutDialog } from './add-opt-out-dialog.tsx'
import { AllowDialog } from './allow-dialog.tsx'

const SOURCES: Record<OptOut['source'], string> = {
  message: 'Sent STOP',
  carrier: 'Reported by the carrier',
  member: 'Added by a member',
}

/** The recipients who opted out of text messages. */
export default function OptOutsPage() {
  const list = useInfiniteQuery(optOutsQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const numbers = useQuery(numbersQuery).data ?? []
  const canAdd = useCanEditAgents() === true && numbers.length > 0
  const isAdmin = useSession().role !== 'member'
  const [dialog, setDialog] = useState<'add' | OptOut>()
  const close = () => setDialog(undefined)
  const add = () => setDialog('add')
  usePageKeys(canAdd ? [{ label: 'Add a number', keys: 'c', icon: Plus, run: add }] : [])
  return (
    <Page
      title="Do not contact"
      tabs={<TelephonyTabs />}
      action={
        canAdd && (
          <Button look={items.length > 0 ? 'primary' : 'plain'} onClick={add}>
            <Plus aria-hidden className="icon" />
            Add a number
          </Button>
        )
      }
    >
      <PagedTable
        label="Do not contact"
        list={list}
        columns={columns(isAdmin ? setDialog : undefined)}
        rows={items}
        rowKey={({ numberId, recipient }) => `${numberId} ${recipient}`}
        loaded={items.length}
        empty={
          <Empty icon={Ban} title="No recipient has opted out">
            Recipients who send STOP, in any of the languages that carriers require, are listed here, for each
            of your numbers. Messages to them are refused until they send START.
          </Empty>
        }
      />
      {dialog === 'add' && <AddOptOutDialog numbers={numbers} onClose={close} />}
      {dialog && dialog !== 'add' && <AllowDialog optOut={dialog} onClose={close} />}
    </Page>
  )
}

const columns = (onAllow: ((optOut: OptOut) => void) | undefined): Column<OptOut>[] => [
  {
    header: 'Recipient',
    wide: true,
    cell: ({ recipient, number }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">
          <Phone>{recipient}</Phone>
        </span>
        <span className="block truncate text-12 text-neutral-11">
          from <Phone>{number}</Phone>
        </span>
      </span>
    ),
  },
  {
    header: 'Why',
    visibleFrom: 'medium',
    cell: ({ source }) => <span className="whitespace-nowrap">{SOURCES[source]}</span>,
  },
  timeColumn('Since', ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
  {
    header: 'Actions',
    headerHidden: true,
    right: true,
    cell: (optOut) =>
      onAllow && (
        <Button
          size="small"
          aria-label={`Allow messages to ${optOut.recipient}`}
          onClick={() => onAllow(optOut)}
        >
          Allow
        </Button>
      ),
  },
]
