import type { Call } from '../../api/telephony/calls.ts'
import { Status } from '../../components/status.tsx'
import { callStatus, endReasonLabel } from './call-labels.ts'

/** The status of a call; the tooltip says why it ended. */
export function CallStatus({ call }: { call: Call }) {
  const { label, meaning } = callStatus(call)
  return (
    <span title={endReasonLabel(call) ?? undefined}>
      <Status meaning={meaning}>{label}</Status>
    </span>
  )
}
