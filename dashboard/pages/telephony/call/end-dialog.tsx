import { useMutation } from '@tanstack/react-query'
import { failureMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Call, cacheCall, peerOf, telephonyApi } from '../telephony-queries.ts'

/** Requires a confirmation: an ended call cannot be resumed. */
export function EndDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const peer = peerOf(call)
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
        The call with {withNames`${peer}`} ends immediately, even in the middle of a sentence. The transcript
        is kept.
      </p>
    </FormDialog>
  )
}
