import { useMutation } from '@tanstack/react-query'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { refreshTelephony } from '../../../api/telephony/overview.ts'
import { Button } from '../../../components/button.tsx'
import { toastFailure } from '../../../components/toast.tsx'

interface PausedNoticeProps {
  numberId: string
  peer: string
  canResume: boolean
}

/** Why the agent no longer answers, and the button that resumes the conversation. */
export function PausedNotice({ numberId, peer, canResume }: PausedNoticeProps) {
  const resume = useMutation({
    mutationFn: () => telephonyApi.sms.resumeConversation({ numberId, peer }),
    onSuccess: refreshTelephony,
    onError: toastFailure,
  })
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-8 border-warning-line border-t bg-warning-wash px-16 py-8 text-13 md:px-24"
    >
      <p className="min-w-0 flex-1">
        The agent answered very often within an hour and is paused in this conversation. The other party may
        be an automated system.
      </p>
      {canResume && (
        <Button size="small" busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      )}
    </div>
  )
}
