import type { CallDetails } from '../../../api/telephony/calls.ts'
import { NoticeBanner } from '../../../components/layout/notice-banner.tsx'
import { endReasonLabel } from '../call-labels.ts'

/** The state of a transfer, or the end of the call and its summary. */
export function CallNotice({ call }: { call: CallDetails }) {
  const transfer = transferText(call)
  const end = endReasonLabel(call)
  if (transfer) return <NoticeBanner tone="info">{transfer}</NoticeBanner>
  if (!end && !call.summary) return null
  const isProblem = call.status === 'failed' || PROBLEMS.has(call.endReason ?? '')
  return (
    <NoticeBanner tone={isProblem ? 'warning' : 'plain'}>
      {call.summary && <span className="block">{call.summary}</span>}
      {end && <span className={call.summary ? 'text-12 text-neutral-11' : ''}>{end}</span>}
    </NoticeBanner>
  )
}

const PROBLEMS = new Set([
  'agent_failed',
  'access_lost',
  'carrier_failed',
  'connection_lost',
  'budget',
  'no_rule',
])

function transferText({ transfer, status }: CallDetails): string | null {
  if (!transfer || status !== 'in_progress') return null
  const target = transfer.target ?? 'the target'
  switch (transfer.state) {
    case 'requested':
      return 'The caller is on hold. The transfer begins.'
    case 'dialing':
      return `The caller is on hold. Dialing ${target}.`
    case 'briefing':
      return `${target} answered and hears the summary.`
    case 'bridged':
      return `The caller speaks with ${target}.`
    case 'failed':
      return `The transfer failed: ${transfer.reason ?? 'no number answered'}. The caller is with the agent again.`
    case 'ended':
      return null
  }
}
