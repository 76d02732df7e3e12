import { useMutation } from '@tanstack/react-query'
import { failureMessage } from '../../../api/explain.ts'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { refreshTelephony } from '../../../api/telephony/overview.ts'
import type { OptOut } from '../../../api/telephony/sms.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Phone } from '../phone.tsx'

/** Requires a confirmation: laws and carriers forbid messages to people who opted out. */
export function AllowDialog({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const { numberId, number, recipient } = optOut
  const undo = () => {
    telephonyApi.sms.addOptOut({ numberId, recipient }).then(refreshTelephony, toastFailure)
  }
  const allow = useMutation({
    mutationFn: () => telephonyApi.sms.removeOptOut({ numberId, recipient }),
    onSuccess: async () => {
      await refreshTelephony()
      toast(withNames`${recipient} can receive messages again`, { label: 'Undo', run: undo })
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
        Allow messages from <Phone>{number}</Phone> to <Phone>{recipient}</Phone> only if the recipient asked
        for it. If the recipient sent STOP, the carrier may still block messages until the recipient sends
        START.
      </p>
    </FormDialog>
  )
}
