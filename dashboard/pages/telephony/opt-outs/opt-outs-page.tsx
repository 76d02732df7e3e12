import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Ban, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { NumberOptions } from '../numbers/number-options.tsx'
import { asE164, Phone } from '../phone.tsx'
import { TelephonyTabs } from '../telephony-pages.tsx'
import {
  numbersQuery,
  type OptOut,
  optOutsQuery,
  type PhoneNumber,
  refreshTelephony,
  telephonyApi,
} from '../telephony-queries.ts'

const SOURCES: Record<OptOut['source'], string> = {
  message: t`Sent STOP`,
  carrier: t`Reported by the carrier`,
  member: t`Added by a member`,
}

export default function OptOutsPage() {
  const list = useInfiniteQuery(optOutsQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const numbers = useQuery(numbersQuery).data ?? []
  const canAdd = useCanEditAgents() === true && numbers.length > 0
  const isAdmin = useSession().role !== 'member'
  const [dialog, setDialog] = useState<'add' | OptOut>()
  const close = () => setDialog(undefined)
  const add = () => setDialog('add')
  usePageKeys(canAdd ? [{ label: t`Add number`, keys: 'c', icon: Plus, run: add }] : [])
  return (
    <Page
      title="Do not contact"
      tabs={<TelephonyTabs />}
      action={
        canAdd && (
          <Button look={items.length > 0 ? 'primary' : 'plain'} onClick={add}>
            <Plus aria-hidden className="icon" />
            Add number
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
          <Empty icon={Ban} title="No opt-outs yet">
            Anyone who replies STOP (in any language carriers require) is listed here per number. Messages to
            them are refused until they send START.
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
    header: t`Recipient`,
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
    header: t`Reason`,
    visibleFrom: 'medium',
    cell: ({ source }) => <span className="whitespace-nowrap">{SOURCES[source]}</span>,
  },
  timeColumn(t`Since`, ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (optOut) =>
      onAllow && (
        <Button
          size="small"
          aria-label={t`Allow messages to ${optOut.recipient}`}
          onClick={() => onAllow(optOut)}
        >
          Allow
        </Button>
      ),
  },
]

function AddOptOutDialog({ numbers, onClose }: { numbers: PhoneNumber[]; onClose: () => void }) {
  const [recipient, setRecipient] = useState('')
  const [numberId, setNumberId] = useState(numbers[0]!.id)
  const add = useMutation({
    mutationFn: () => telephonyApi.sms.addOptOut({ numberId, recipient: asE164(recipient) }),
    onSuccess: async (added) => {
      await refreshTelephony()
      toast(withNames`${added.recipient} won’t get any more messages`)
      onClose()
    },
  })
  const error = fieldMessage(add.error, 'recipient')
  return (
    <FormDialog
      title="Stop messages to a number"
      action="Stop messages"
      failure={error ? undefined : failureMessage(add.error)}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Recipient"
        type="tel"
        required
        placeholder="+4930123456"
        autoComplete="off"
        data-autofocus
        value={recipient}
        error={error}
        onChange={(event) => setRecipient(event.target.value)}
      />
      <Select label="Your number" value={numberId} onChange={(event) => setNumberId(event.target.value)}>
        <NumberOptions numbers={numbers} by="id" />
      </Select>
    </FormDialog>
  )
}

/** Asks first: laws and carriers forbid messages to recipients who opted out. */
function AllowDialog({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const { numberId, number, recipient } = optOut
  const undo = () => {
    telephonyApi.sms.addOptOut({ numberId, recipient }).then(refreshTelephony, toastFailure)
  }
  const allow = useMutation({
    mutationFn: () => telephonyApi.sms.removeOptOut({ numberId, recipient }),
    onSuccess: async () => {
      await refreshTelephony()
      toast(withNames`${recipient} can receive messages again`, { label: t`Undo`, run: undo })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Allow messages again"
      action="Allow messages"
      failure={failureMessage(allow.error)}
      busy={allow.isPending}
      onSubmit={allow.mutate}
      onClose={onClose}
    >
      <p className="text-neutral-11">
        Only allow messages from <Phone>{number}</Phone> to <Phone>{recipient}</Phone> if the recipient asked
        for them. If they sent STOP, the carrier may keep blocking messages until they send START.
      </p>
    </FormDialog>
  )
}
