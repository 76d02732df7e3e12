import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { NoticeBanner } from '../../../components/layout/notice-banner.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { endReasonLabel } from '../call-labels.ts'
import { type CallDetails, callQuery, isOpen, peerNumber } from '../telephony-queries.ts'
import { CallActions } from './call-actions.tsx'
import { CallFacts } from './call-facts.tsx'
import { CallTimeline } from './call-timeline.tsx'
import { CallTranscript } from './call-transcript.tsx'
import { WhisperForm } from './whisper-form.tsx'

const route = getRouteApi('/app/phone/calls/$callId')

export default function CallPage() {
  const { callId } = route.useParams()
  const call = useQuery(callQuery(callId))
  const { data } = call
  return (
    <Page
      title={data ? peerNumber(data) : t`Call`}
      breadcrumb={<Breadcrumb to="/phone/calls">Calls</Breadcrumb>}
      action={data && <CallActions call={data} />}
    >
      {call.isPending && <SkeletonRows rows={5} />}
      {call.error && !data && (
        <RecordFailure
          error={call.error}
          onRetry={() => call.refetch()}
          title="Call not found"
          to="/phone/calls"
          action="All calls"
        />
      )}
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
      <div className="flex min-h-0 flex-1 flex-col @wide:min-h-nested-max @wide:flex-row">
        <section
          aria-labelledby="transcript"
          className="flex h-panel-max min-w-0 flex-col @wide:h-auto @wide:flex-1"
        >
          <h2 id="transcript" className="shrink-0 px-16 pt-16 font-strong md:px-24">
            Transcript
          </h2>
          {call.sessionId ? (
            <CallTranscript key={call.sessionId} sessionId={call.sessionId} />
          ) : (
            <p className="flex-1 px-16 py-12 text-13 text-neutral-11 md:px-24">
              {isLive ? t`The conversation hasn’t started.` : t`There was no conversation.`}
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

function CallNotice({ call }: { call: CallDetails }) {
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
  const target = transfer.target ?? t`the target`
  switch (transfer.state) {
    case 'requested':
      return t`The caller is on hold. Starting the transfer.`
    case 'dialing':
      return t`The caller is on hold. Dialing ${target}.`
    case 'briefing':
      return t`${target} answered and is hearing the summary.`
    case 'bridged':
      return t`The caller is talking to ${target}.`
    case 'failed':
      return t`Transfer failed: ${transfer.reason ?? t`nobody answered`}. The caller is back with the agent.`
    case 'ended':
      return null
  }
}

const urlOf = (id: string) => `/api/v1/files/${id}?download=true`

function CallRecording({ call: { recordingFileId, transcriptFileId } }: { call: CallDetails }) {
  if (!recordingFileId && !transcriptFileId) return null
  return (
    <section
      aria-label="Recording"
      className="flex flex-wrap items-center gap-x-16 gap-y-8 border-neutral-6 border-b px-16 py-12 md:px-24"
    >
      {recordingFileId && (
        // biome-ignore lint/a11y/useMediaCaption: the transcript of the call is below it
        <audio
          controls
          preload="metadata"
          aria-label="Call recording"
          src={`${urlOf(recordingFileId)}&inline=true`}
          className="h-row min-w-0 flex-1 basis-filter"
        />
      )}
      <span className="flex gap-8">
        {recordingFileId && <DownloadLink id={recordingFileId}>Recording</DownloadLink>}
        {transcriptFileId && <DownloadLink id={transcriptFileId}>Transcript</DownloadLink>}
      </span>
    </section>
  )
}

const DownloadLink = ({ id, children }: { id: string; children: string }) => (
  <a href={urlOf(id)} download className={buttonClass('plain', 'small')}>
    <Download aria-hidden className="icon" />
    {children}
  </a>
)
