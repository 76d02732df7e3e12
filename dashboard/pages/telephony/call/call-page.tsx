import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type CallDetails, callQuery, isOpen, peerOf } from '../../../api/telephony/calls.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Failure } from '../../../components/failure.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSeconds } from '../../../state/use-seconds.ts'
import { CallActions } from './call-actions.tsx'
import { CallFacts } from './call-facts.tsx'
import { CallNotice } from './call-notice.tsx'
import { CallRecording } from './call-recording.tsx'
import { CallTimeline } from './call-timeline.tsx'
import { CallTranscript } from './call-transcript.tsx'
import { WhisperForm } from './whisper-form.tsx'

const route = getRouteApi('/app/telephony/calls/$callId')

/** One call: the live transcript, the timeline, and the cost. */
export default function CallPage() {
  const { callId } = route.useParams()
  const call = useQuery(callQuery(callId))
  const { data } = call
  return (
    <Page
      title={data ? peerOf(data) : 'Call'}
      breadcrumb={<Breadcrumb to="/telephony/calls">Calls</Breadcrumb>}
      action={data && <CallActions call={data} />}
    >
      {call.isPending && <SkeletonRows rows={5} />}
      {call.error && !data && <Failure error={call.error} onRetry={() => call.refetch()} />}
      {data && <Details key={callId} call={data} />}
    </Page>
  )
}

function Details({ call }: { call: CallDetails }) {
  const isLive = isOpen(call)
  const now = useSeconds(isLive)
  const canEdit = useCanEditAgents()
  const canWhisper =
    canEdit && call.status === 'in_progress' && call.provider === 'twilio' && call.agentId !== null
  return (
    <div className="flex flex-col @wide:h-full">
      <CallNotice call={call} />
      <CallFacts call={call} now={now} />
      <CallRecording call={call} />
      <div className="flex min-h-0 flex-1 flex-col @wide:min-h-half @wide:flex-row">
        <section
          aria-labelledby="transcript"
          className="flex h-tall min-w-0 flex-col @wide:h-auto @wide:flex-1"
        >
          <h2 id="transcript" className="shrink-0 px-16 pt-16 font-strong md:px-24">
            Transcript
          </h2>
          {call.sessionId ? (
            <CallTranscript key={call.sessionId} sessionId={call.sessionId} />
          ) : (
            <p className="flex-1 px-16 py-12 text-13 text-neutral-11 md:px-24">
              {isLive ? 'The conversation has not begun.' : 'No conversation took place.'}
            </p>
          )}
          {canWhisper && <WhisperForm call={call} />}
        </section>
        <section
          aria-labelledby="timeline"
          className="shrink-0 overflow-y-auto border-neutral-6 px-16 py-16 max-@wide:border-t md:px-24 @wide:w-list @wide:border-l"
        >
          <h2 id="timeline" className="mb-12 font-strong">
            Timeline
          </h2>
          <CallTimeline call={call} />
        </section>
      </div>
    </div>
  )
}
