import { useNavigate } from '@tanstack/react-router'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { type PhoneNumber, refreshTelephony } from '../../../api/telephony/overview.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'

export function ReleaseDialog({ number, onClose }: { number: PhoneNumber; onClose: () => void }) {
  const { id, e164 } = number
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={withNames`Release ${e164}`}
      phrase={e164}
      action="Release number"
      mutate={() => telephonyApi.phoneNumbers.release({ id })}
      onSuccess={async () => {
        await navigate({ to: '/telephony', search: {} })
        await refreshTelephony()
      }}
      success={withNames`Released ${e164}`}
      onClose={onClose}
    >
      <p>
        Atrium no longer answers calls and messages to this number, and removes its URLs at the carrier. Rules
        that are only for this number stop.
      </p>
      <p>
        Your account at the carrier keeps the number and continues to pay for it. Calls, messages, recordings
        and conversations stay. You can import the number again.
      </p>
    </ConfirmDialog>
  )
}
