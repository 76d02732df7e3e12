import { useNavigate } from '@tanstack/react-router'
import { Copy as CopyIcon, Ellipsis, MessageSquareText, PhoneCall, PhoneForwarded } from 'lucide-react'
import { useState } from 'react'
import { type Call, isControllable, isOpen, peerOf } from '../../../api/telephony/calls.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy-with-toast.ts'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { useMediaQuery } from '../../../state/media-query.ts'
import { CallStatus } from '../call-status.tsx'
import { CallDialog } from '../calls/call-dialog.tsx'
import { EndDialog } from './end-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

/** The status of a call, and its actions. */
export function CallActions({ call }: { call: Call }) {
  const { id, status, numberId, transfer } = call
  const canEdit = useCanEditAgents()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'end' | 'transfer' | 'call'>()
  const close = () => setDialog(undefined)
  const isTransferring = transfer !== null && !['failed', 'ended'].includes(transfer.state)
  const canTransfer = canEdit && isControllable(call) && status === 'in_progress' && !isTransferring
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
        {canEdit && !isOpen(call) && (
          <MenuAction icon={PhoneCall} label="Call this number" onSelect={() => setDialog('call')} />
        )}
        {numberId && (
          <MenuAction
            icon={MessageSquareText}
            label="Messages with this number"
            onSelect={() =>
              void navigate({ to: '/telephony/messages', search: { number: numberId, peer: peerOf(call) } })
            }
          />
        )}
        <MenuAction icon={CopyIcon} label="Copy call ID" onSelect={() => void copyWithToast(id, 'call ID')} />
      </Menu>
      {dialog === 'end' && <EndDialog call={call} onClose={close} />}
      {dialog === 'transfer' && <TransferDialog call={call} onClose={close} />}
      {dialog === 'call' && <CallDialog to={peerOf(call)} onClose={close} />}
    </span>
  )
}
