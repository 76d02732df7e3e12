import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy as CopyIcon, Ellipsis, MessageSquareText, PhoneCall, PhoneForwarded } from 'lucide-react'
import { useState } from 'react'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { useMediaQuery } from '../../../state/media-query.ts'
import { CallStatus } from '../call-cells.tsx'
import { CallDialog } from '../calls/call-dialog.tsx'
import { phoneList } from '../numbers/number-draft.ts'
import {
  type Call,
  cacheCall,
  isControllable,
  isOpen,
  peerNumber,
  telephonyApi,
} from '../telephony-queries.ts'

export function CallActions({ call }: { call: Call }) {
  const { id, status, numberId, transfer } = call
  const canEdit = useCanEditAgents()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'end' | 'transfer' | 'call'>()
  const close = () => setDialog(undefined)
  const isTransferring = transfer !== null && !['failed', 'ended'].includes(transfer.state)
  const isPhoneCall = call.provider !== 'browser'
  const canTransfer =
    canEdit && isPhoneCall && isControllable(call) && status === 'in_progress' && !isTransferring
  const isPhone = useMediaQuery('(max-width: 639px)')
  return (
    <span className="flex items-center gap-8">
      <span className="max-sm:hidden">
        <CallStatus call={call} />
      </span>
      {canTransfer && !isPhone && <Button onClick={() => setDialog('transfer')}>Transfer</Button>}
      {canEdit && isOpen(call) && isControllable(call) && (
        <Button look="danger" onClick={() => setDialog('end')}>
          End call
        </Button>
      )}
      <Menu
        trigger={
          <Button look="quiet" size="icon" aria-label="Actions for this call">
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        {canTransfer && isPhone && (
          <MenuAction icon={PhoneForwarded} label="Transfer" onSelect={() => setDialog('transfer')} />
        )}
        {canEdit && isPhoneCall && !isOpen(call) && (
          <MenuAction icon={PhoneCall} label="Call this number" onSelect={() => setDialog('call')} />
        )}
        {numberId && (
          <MenuAction
            icon={MessageSquareText}
            label="Messages with this number"
            onSelect={() =>
              void navigate({
                to: '/phone/messages',
                search: { number: numberId, peer: peerNumber(call) },
              })
            }
          />
        )}
        <MenuAction
          icon={CopyIcon}
          label="Copy call ID"
          onSelect={() => void copyWithToast(id, t`call ID`)}
        />
      </Menu>
      {dialog === 'end' && <EndDialog call={call} onClose={close} />}
      {dialog === 'transfer' && <TransferDialog call={call} onClose={close} />}
      {dialog === 'call' && <CallDialog to={peerNumber(call)} onClose={close} />}
    </span>
  )
}

function TransferDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const [targets, setTargets] = useState('')
  const [summary, setSummary] = useState('')
  const transfer = useMutation({
    mutationFn: () =>
      telephonyApi.calls.transfer({
        id: call.id,
        targets: phoneList(targets),
        summary: summary.trim() || undefined,
      }),
    onSuccess: async (changed) => {
      await cacheCall(changed)
      toast(t`Transfer started`)
      onClose()
    },
  })
  const { error } = transfer
  const targetError =
    fieldMessage(error, 'targets') ??
    phoneList(targets)
      .map((_, index) => fieldMessage(error, `targets.${index}`))
      .find(Boolean)
  const summaryError = fieldMessage(error, 'summary')
  return (
    <FormDialog
      title="Transfer call"
      lead="The caller hears hold music while the numbers are dialed in order. If nobody answers, the caller returns to the agent."
      action="Transfer"
      failure={targetError || summaryError ? undefined : failureMessage(error)}
      busy={transfer.isPending}
      onSubmit={transfer.mutate}
      onClose={onClose}
    >
      <TextArea
        label="Numbers"
        required
        rows={2}
        hint="One per line, in dialing order."
        placeholder="+4930123456"
        autoComplete="off"
        data-autofocus
        value={targets}
        error={targetError}
        onChange={(event) => setTargets(event.target.value)}
      />
      <TextArea
        label="Summary (optional)"
        rows={3}
        limit={TELEPHONY_LIMITS.message}
        hint="Read to whoever answers, before the caller is connected. Leave empty to let the agent summarize the call."
        value={summary}
        error={summaryError}
        onChange={(event) => setSummary(event.target.value)}
      />
    </FormDialog>
  )
}

/** Asks first: an ended call can't be resumed. */
export function EndDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const peer = peerNumber(call)
  const end = useMutation({
    mutationFn: () => telephonyApi.calls.hangUp({ id: call.id }),
    onSuccess: async (ended) => {
      await cacheCall(ended)
      toast(withNames`Ended the call with ${peer}`)
      onClose()
    },
  })
  return (
    <FormDialog
      title="End the call"
      action="End call"
      isDangerous
      failure={failureMessage(end.error)}
      busy={end.isPending}
      onSubmit={end.mutate}
      onClose={onClose}
    >
      <p className="text-neutral-11">
        The call with {withNames`${peer}`} ends immediately, even mid-sentence. The transcript is kept.
      </p>
    </FormDialog>
  )
}
